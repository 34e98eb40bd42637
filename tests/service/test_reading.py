"""What is too much to be read costs its own request and nothing else, whichever way it comes."""

from __future__ import annotations

import asyncio
import resource
import sys
import traceback
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from tests.harness.in_readers import finally_in_finally

pytestmark = pytest.mark.slow

BOMB = finally_in_finally(22)
"""A thousand bytes that take Python gigabytes to compile."""
BUD = finally_in_finally(6)
HONEST = "import bpy\nbpy.data.objects['Cube'].scale.z = 2\n"
SMALL = {"size": 32, "samples": 1, "views": ["camera"]}


async def validated(client: httpx2.AsyncClient, **body: object) -> dict[str, Any]:
    response = await client.post("/validate", json={"render": SMALL, **body})
    assert response.status_code == 200, response.text
    run: dict[str, Any] = response.json()
    return run


def stage(run: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in run["attempts"][-1]["verdict"]["stages"] if one["name"] == name)
    return found


async def test_a_snippet_that_takes_gigabytes_to_compile_is_refused_alone(client: httpx2.AsyncClient) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bomb, honest = await asyncio.gather(validated(client, snippet=BOMB, heal=True), validated(client, snippet=HONEST))
    assert (bomb["status"], honest["status"]) == ("not_proven", "proven")
    assert stage(bomb, "parse")["findings"][0]["code"] in ("too-deep", "too-much")
    assert stage(bomb, "execute")["state"] == "skipped"
    page = await client.get(f"/page/runs/{bomb['id']}")
    assert page.status_code == 200 and "finally" in page.text
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 256 << 10


def in_setup(code: str) -> dict[str, Any]:
    return {"setup": {"snippet": code}}


def in_a_check(code: str) -> dict[str, Any]:
    return {"accept": [{"check": "python", "says": "it is so", "code": code}]}


@pytest.mark.parametrize("bringing", [in_setup, in_a_check])
async def test_code_that_comes_with_a_snippet_is_read_like_it(
    client: httpx2.AsyncClient, bringing: Callable[[str], dict[str, Any]]
) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    bud = await validated(client, snippet=HONEST, **bringing(BUD))
    assert bud["status"] == "proven", stage(bud, "execute")
    bomb = await validated(client, snippet=HONEST, **bringing(BOMB))
    assert bomb["status"] == "not_proven"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 256 << 10


async def test_the_symbols_of_a_snippet_are_read_like_it(client: httpx2.AsyncClient) -> None:
    builds = {"from": "5.0", "to": "5.0"}
    for snippet in (BUD, BOMB):
        answer = await client.post("/symbols/diff", json={**builds, "snippet": snippet})
        assert answer.status_code in (200, 422), answer.text


_heard: list[str] = []
"""Texts of a caller that this process compiled; filled while the last test runs."""
MARK = "of_a_stranger"


def hear(event: str, arguments: tuple[object, ...]) -> None:
    """Note what this process parses or compiles; `ast.parse` is heard too."""
    if event == "compile" and MARK in str(arguments[0]):
        _heard.append(traceback.format_stack(limit=6)[0])


async def test_the_service_itself_parses_and_compiles_no_text_of_a_caller(client: httpx2.AsyncClient) -> None:
    sys.addaudithook(hear)
    old = f"import bpy\n{MARK} = bpy.context.scene.objects.active\nbpy.context.user_preferences\n"
    body = {"snippet": old, "heal": True, "max_attempts": 1}
    await validated(client, **body, **in_setup(f"{MARK} = 1"), **in_a_check(f"assert {MARK!r}"))
    await client.post("/check", json={"snippet": old})
    await client.post("/symbols/diff", json={"from": "5.0", "to": "5.0", "snippet": old})
    run = await validated(client, snippet=HONEST + f"{MARK} = 1\n")
    for path in (f"/page/runs/{run['id']}", f"/runs/{run['id']}/brief", f"/artifacts/{run['artifact']['id']}"):
        assert (await client.get(path)).status_code == 200, path
    assert _heard == []
    compile(f"{MARK} = 1", "<ours>", "exec")
    assert len(_heard) == 1

"""Checks over HTTP: stages, fixes, places; and what a refusal offers. Nothing is executed."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from starlette.requests import Request

from app.api.common import unless_gone
from app.drafting.draft import NothingSuch, NotUnderstood, PartialDraft, ValueOutOfRange
from app.pipeline.refusing import refusal
from app.service.service import MOST_QUICK_CHECKS
from tests.api.error_bodies import assert_error

pytestmark = pytest.mark.blender
OLD = "import bpy\nobj = bpy.context.object\nobj.select = True\n"


async def checked(client: httpx2.AsyncClient, snippet: str, **more: Any) -> dict[str, Any]:
    """The row of the first Blender."""
    answer = (await client.post("/check", json={"snippet": snippet, **more})).json()
    row: dict[str, Any] = answer["blenders"][0]
    assert answer["passed"] is row["passed"]
    return row


async def test_old_code_fails_and_its_fix_passes(client: httpx2.AsyncClient, blender: Any) -> None:
    row = await checked(client, OLD, fixes=True)
    assert not row["passed"] and [stage["name"] for stage in row["stages"]] == [
        "parse", "policy", "lint", "types", "api",
    ]  # fmt: skip
    assert row["fixed"] == OLD.replace("select = True", "select_set(True)")
    assert [(fix["line"], "select_set" in fix["reason"]) for fix in row["fixes"]] == [(3, True)]
    again = await checked(client, row["fixed"], fixes=True)
    assert again["passed"] and again["fixed"] is None and again["fixes"] == []
    assert (await client.get("/runs")).json()["runs"] == []


async def test_what_is_no_python_is_only_parsed(client: httpx2.AsyncClient, blender: Any) -> None:
    row = await checked(client, "import bpy\nx = (\n")
    assert [stage["name"] for stage in row["stages"]] == ["parse"] and not row["passed"]
    assert_error(await client.post("/check", json={"snippet": "1", "blender": "1.0"}), 422, "invalid_request")


async def test_the_mark_that_some_editors_put_before_a_file_is_no_fault(
    client: httpx2.AsyncClient, blender: Any
) -> None:
    assert (await checked(client, "\ufeffimport bpy\n"))["passed"]
    assert not (await checked(client, "import bpy\n\ufeffx = 1\n"))["passed"]
    at = {"line": 2, "column": 6}
    marked = await client.post("/check/place", json={"snippet": "\ufeffimport bpy\nbpy.context\n", **at})
    assert marked.json()["address"] == "bpy.context"


async def test_checks_at_once_are_limited(client: httpx2.AsyncClient, blender: Any) -> None:
    body = {"snippet": "import bpy\n", "line": 1, "column": 8}
    answers = await asyncio.gather(*(client.post("/check/place", json=body) for _ in range(MOST_QUICK_CHECKS + 2)))
    assert [answer.status_code for answer in answers].count(200) == MOST_QUICK_CHECKS
    for busy in (answer for answer in answers if answer.status_code != 200):
        assert_error(busy, 503, "service_busy")
    assert (await client.post("/check/place", json=body)).status_code == 200


@pytest.mark.parametrize("goes", [True, False])
async def test_a_client_that_goes_away_ends_its_work(goes: bool) -> None:
    ended = asyncio.Event()

    async def receive() -> dict[str, str]:
        await asyncio.sleep(0 if goes else 60)
        return {"type": "http.disconnect"}

    async def work() -> str:
        try:
            await asyncio.sleep(60 if goes else 0.01)
            return "done"
        finally:
            ended.set()

    assert await unless_gone(Request({"type": "http"}, receive), work()) == (None if goes else "done")
    await asyncio.wait_for(ended.wait(), 5)


async def test_a_place_is_looked_at(client: httpx2.AsyncClient, blender: Any) -> None:
    asked = {"snippet": OLD, "line": 3, "column": 6}
    named = (await client.post("/check/place", json=asked)).json()
    assert named["address"] == "bpy.types.Object.select" and named["symbol"] is None and "2.80" in named["gone"]
    written = {"snippet": f"{OLD}obj.display_type = '", "line": 4, "column": 21, "offers": True}
    offered = (await client.post("/check/place", json=written)).json()["offers"]
    assert "WIRE" in [offer["label"] for offer in offered] and "MESH" not in [offer["label"] for offer in offered]


def test_a_refusal_gives_its_true_reason_first() -> None:
    plan = PartialDraft("", [], ["build me a castle now"])
    plain = refusal(NothingSuch(["castle"], 'nothing like "castle" is known.', "cube"), plan, [], has_model=False)
    assert plain.message.endswith("Plain words need a model, and this service has none.")
    assert (plain.details["read"], plain.details["allowed"]) == ("build me a", "cube")
    by_choice = refusal(NothingSuch(["castle"], "nothing"), plan, [], has_model=True)
    assert by_choice.message == "nothing" and "drafter" in by_choice.shown_hint
    exact = refusal(NotUnderstood([], "too early"), plan, [], has_model=False)
    assert exact.message == "too early" and exact.details["read"] == "build me a castle now"
    assert "Give a value" in refusal(ValueOutOfRange(["9"], "too large"), None, [], has_model=False).shown_hint

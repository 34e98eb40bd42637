"""Two callers: whatever belongs to one of them is not there for the other, by any address, page or list."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import httpx2
import pytest
from fastapi.routing import APIRoute
from pydantic import SecretStr

from app.jobs.kinds import GROUPS, JobKind
from app.jobs.sending import Sending
from app.service.seen_jobs import SeenJobs
from app.settings import Settings
from app.web import routing
from tests.fixtures import serving, tools_of
from tests.small_artifacts import draw

TOKENS: Final = {"": "the-token-of-the-service", "studio": "0123456789abcdef", "farm": "fedcba9876543210"}
OF_JOBS: Final[dict[str, tuple[JobKind, ...]]] = {
    "job_id": ("generate", "change", "addon", "ask"),
    "run_id": ("generate",),
    "change_id": ("change",),
    "addon_id": ("addon",),
}
"""The parameters of addresses that name what belongs to a caller, with the kinds of jobs that may stand there."""
SHARED: Final = {"artifact_id", "view", "area", "name", "address", "diagnosis", "source", "path", "file", "model"}
"""The parameters that name what all callers share."""
LISTS: Final = ("/jobs?limit=200", "/runs?limit=200", "/changes?limit=200", "/page/jobs", "/page/runs", "/page/changes")
"""What lists jobs; the other addresses without a parameter list none."""


ROW: Final = "1-5.0.1"
"""The name of a picture of a matrix."""
GOES_ON_S: Final = 2.0
PLACE: Final = ("shop", "https://example.org/shop.git")


def of(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKENS[name]}"}


@pytest.fixture
async def callers(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[httpx2.AsyncClient]:
    async def names(_self: SeenJobs) -> set[str]:
        return {PLACE[0]}

    # Jobs on repositories are seen as long as those are there.
    monkeypatch.setattr(SeenJobs, "names", names)
    tokens = tmp_path / "tokens"
    tokens.write_text("".join(f"{name} {token}\n" for name, token in TOKENS.items() if name))
    given = {"token": SecretStr(TOKENS[""]), "tokens": tokens}
    async with serving(settings.model_copy(update=given)) as client:
        yield client


async def addresses(client: httpx2.AsyncClient) -> list[tuple[str, str]]:
    """Method and path of all that the interface and the page answer."""
    described = (await client.get("/openapi.json", headers=of(""))).json()["paths"]
    found = [(method.upper(), path) for path, methods in described.items() for method in methods]
    for router in (routing.router, routing.open_router):
        routes = [route for route in router.routes if isinstance(route, APIRoute)]
        found += [(method, route.path) for route in routes for method in route.methods or ()]
    # A job must not have ended before others were kept from ending it.
    return sorted(found, key=lambda one: (one[0] != "DELETE", one))


def parameters_of(path: str) -> list[str]:
    return re.findall(r"{(\w+)", path)


async def told(client: httpx2.AsyncClient, method: str, path: str, name: str) -> tuple[int, str]:
    """The status of an answer with its code, or with its text if it is a page; 0 if it goes on and on, as events do."""
    try:
        async with asyncio.timeout(GOES_ON_S):
            response = await client.request(method, path, headers=of(name))
    except TimeoutError:
        return 0, ""
    assert response.status_code < 500, path
    is_json = response.headers.get("content-type", "").startswith("application/json")
    return response.status_code, str(response.json().get("code") if is_json else response.text)


async def test_no_address_leads_to_what_is_anothers(callers: httpx2.AsyncClient, tmp_path: Path) -> None:
    runs = tools_of(callers).runs
    ids: dict[JobKind, str] = {}
    request = {"request": "the secret of the studio", "snippet": "secret = 1"}
    for group in GROUPS:
        for kind in group.kinds:
            ids[kind] = await runs.add(kind, "the secret of the studio", "5.0.1", request, Sending("studio"), PLACE)
    made = tmp_path / "work" / "attempt-1"
    made.mkdir(parents=True)
    draw("ball", "red").save(made / "a.png")
    report = {"evidence": {"render": {"pictures": [{"file": "a.png"}]}}}
    tools_of(callers).pictures.keep_unproven(ids["generate"], made.parent)
    tools_of(callers).pictures.keep_row(ids["generate"], 1, "5.0.1", report, made)
    asked: list[tuple[str, str]] = []
    for method, path in await addresses(callers):
        parameters = parameters_of(path)
        assert not set(parameters) - OF_JOBS.keys() - SHARED, f"{path}: does it belong to a caller?"
        for parameter, kind in itertools.product(OF_JOBS.keys() & set(parameters), ids):
            if kind in OF_JOBS[parameter]:
                asked.append((method, re.sub(r"{\w+(:\w+)?}", ROW, path.replace(f"{{{parameter}}}", ids[kind]))))
    assert len(asked) > 20
    refused = {each: await told(callers, *each, "farm") for each in asked}
    assert {each: status for each, (status, _) in refused.items() if status != 404} == {}
    assert not [each for each, (_, said) in refused.items() if "secret" in said]
    assert {(await runs.job(one)).status for one in ids.values()} == {"queued"}
    for path in LISTS:
        assert "secret" not in (await callers.get(path, headers=of("farm"))).text, path
        assert "secret" in (await callers.get(path, headers=of("studio"))).text, path
    assert [each for each in asked if await told(callers, *each, "studio") == refused[each]] == []

"""Jobs of all kinds over HTTP: one list, one quota, fair turns; each caller sees his own, and nothing is paid twice."""

from __future__ import annotations

import asyncio
import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from app.errors import error_of
from app.jobs.run import ModelCall
from app.jobs.sending import Sending
from app.jobs.sqlite import SqliteJobs
from app.repositories.changing.record import Change, ChangeRequest
from app.settings import Settings
from harness.blenders import Blender
from tests.api.served_changes import WANTED, accepted, begin, ended, ending, endless, served
from tests.model_server import Reply, model_server, models_at
from tests.repositories.shop import NEW_TEST, PLAN, RIGHT, file, replies, unit

pytestmark = pytest.mark.usefixtures("root")

OLDER: Final = Path(__file__).parents[1] / "jobs" / "data-of-0.1.tar.gz"
TOKENS: Final = {"": "the-token-of-the-service", "studio": "0123456789abcdef", "farm": "fedcba9876543210"}
CHANGES: Final = "/repositories/shop/changes"
REQUESTS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "change": (CHANGES, WANTED),
    "edit": (CHANGES, {"kind": "edit", "request": "double it", "place": "shop.py"}),
    "port": (CHANGES, {"kind": "port", "blenders": ["5.0"]}),
    "ask": ("/repositories/shop/ask", {"question": "price"}),
    "search": ("/repositories/shop/search", {"question": "price", "by_model": True}),
    "explain": (
        "/repositories/shop/diagnose",
        {"log": 'Traceback:\n  File "shop.py", line 2, in price\nValueError: 1\n', "explain": True},
    ),
}


def of(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKENS[name]}"}


def limited(service: Any, folder: Path, **limits: Any) -> None:
    service.tools.settings = Settings(data=folder / "data", **limits)


@pytest.mark.parametrize("kind", REQUESTS)
async def test_each_kind_counts_for_the_quotas_of_its_caller(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending(monkeypatch, accepted)
    path, body = REQUESTS[kind]
    async with served(tmp_path, [Reply("See [shop.py:1-2].", times=9)], tokens=TOKENS) as (client, service):
        limited(service, tmp_path, runs_per_minute=1)
        tools: Any = service.tools
        tools.blenders = [Blender("module", Path("/none"), "5.0.1", "0", "3.11")]
        first, second = [await client.post(path, json=body, headers=of("studio")) for _ in range(2)]
        assert first.status_code in (200, 202), first.text
        assert (second.status_code, second.json()["code"]) == (429, "quota_spent")
        # The quota is one for all kinds, and each caller's own.
        assert (await client.post(CHANGES, json=WANTED, headers=of("studio"))).status_code == 429
        assert (await client.post(path, json=body, headers=of("farm"))).status_code == first.status_code
        (listed,) = (await client.get("/jobs?mine=true", headers=of("studio"))).json()["jobs"]
        assert listed["kind"] == {"search": "ask"}.get(kind, kind)


@pytest.mark.parametrize("kind", ["ask", "explain"])
async def test_each_question_to_a_model_is_on_record_and_its_cost_is_limited(kind: str, tmp_path: Path) -> None:
    path, body = REQUESTS[kind]
    async with served(tmp_path, [Reply("See [shop.py:1-2].", times=9)], tokens=TOKENS) as (client, service):
        answer = await client.post(path, json=body, headers=of("studio"))
        assert answer.status_code == 200, answer.text
        (job,) = (await client.get(f"/jobs?kind={kind}", headers=of("studio"))).json()["jobs"]
        assert (job["status"], job["caller"], job["repository"]) == ("answered", "studio", "shop")
        whole = (await client.get(f"/jobs/{job['id']}", headers=of("studio"))).json()
        (call,) = whole["model_calls"]
        assert "See [shop.py:1-2]." in call["answer"] and "price" in call["sent"][-1]["content"]
        assert whole["result"] == answer.json()
        # As if the model had a price.
        dear = ModelCall.model_validate({**call, "number": 2, "cost": 1.0})
        await service.tools.runs.add_call(job["id"], dear)
        limited(service, tmp_path, cost_per_day=0.5)
        refused = await client.post(path, json=body, headers=of("studio"))
        assert (refused.status_code, refused.json()["code"]) == (429, "quota_spent")


async def test_a_caller_sees_his_own_jobs_and_the_token_of_the_service_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending(monkeypatch, accepted)
    async with served(tmp_path, tokens=TOKENS) as (client, service):
        made = (await client.post(CHANGES, json=WANTED, headers=of("studio"))).json()["id"]
        await service.until_ended(made)
        paths = [f"/changes/{made}", f"/changes/{made}/events", f"/jobs/{made}", f"/jobs/{made}/events"]
        for path in [*paths, f"/page/changes/{made}"]:
            seen = [(await client.get(path, headers=of(name))).status_code for name in ("studio", "", "farm")]
            assert seen == [200, 200, 404], path
        for path in (paths[0], paths[2]):
            assert (await client.delete(path, headers=of("farm"))).status_code == 404
            assert (await client.delete(path, headers=of("studio"))).status_code == 409
        for listing, name in (("/changes", "changes"), ("/jobs", "jobs")):
            counts = [len((await client.get(listing, headers=of(who))).json()[name]) for who in ("studio", "", "farm")]
            assert counts == [1, 1, 0]
        assert made in (await client.get("/page/changes", headers=of("studio"))).text
        assert made not in (await client.get("/page/changes", headers=of("farm"))).text
        for query, many in (("kind=change", 1), ("kind=ask", 0), ("status=accepted", 1), ("status=failed", 0)):
            assert len((await client.get(f"/jobs?{query}", headers=of("studio"))).json()["jobs"]) == many


async def test_a_removed_repository_takes_its_jobs_along_but_quotas_count_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending(monkeypatch, endless)
    async with served(tmp_path) as (client, service):
        made = await begin(client)
        assert (await client.delete("/repositories/shop")).status_code == 200
        assert (await client.get(f"/changes/{made}")).json()["code"] == "change_not_found"
        assert (await client.get(f"/jobs/{made}")).json()["code"] == "job_not_found"
        job = await service.tools.runs.job(made)
        assert (job.status, job.title, await service.tools.runs.request_text(made)) == ("cancelled", "", "{}")


async def test_the_changes_of_release_0_1_are_shown_and_one_that_waited_is_worked_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending(monkeypatch, accepted)
    async with served(tmp_path):
        """The repository is there."""
    with tarfile.open(OLDER) as archive:
        archive.extractall(tmp_path / "older", filter="data")
    place = tmp_path / "data" / "repositories" / "shop" / "changes"
    shutil.copytree(tmp_path / "older" / "repositories" / "shop" / "changes", place)
    async with served(tmp_path) as (client, service):
        listed = (await client.get("/changes")).json()["changes"]
        known = {one["id"]: (await client.get(f"/changes/{one['id']}")).json() for one in listed}
        await service.until_ended(f"c-{0:016x}")
        statuses = [known[f"c-{number:016x}"]["status"] for number in range(1, 8)]
        assert statuses == [
            *("interrupted", "accepted", "proposal", "failed"),
            *("nothing_to_change", "cancelled", "interrupted"),
        ]
        whole = known[f"c-{2:016x}"]
        assert (whole["branch"], whole["model"], whole["tokens_in"]) == (f"blendproof/c-{2:016x}", "p (m)", 7)
        assert (whole["attempts"][0]["problem"], whole["plan"]["goal"], whole["note"]) == ("p", "g", "because")
        assert [event["text"] for event in whole["events"]] == ["reading", "accepted"]
        assert (await client.get(f"/changes/c-{0:016x}")).json()["status"] == "accepted"
    assert [file.name for file in place.iterdir()] == ["c-00000000000000ff.json"]


async def test_callers_take_turns_with_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began, go_on = list[str](), asyncio.Event()

    async def noted(made: Change, say: Callable[[str], None]) -> None:
        began.append(made.request)
        await go_on.wait()
        await accepted(made, say)

    ending(monkeypatch, noted)
    async with served(tmp_path) as (_, service):
        ids: list[str] = []
        for caller, many in (("flood", 4), ("other", 1)):
            for number in range(many):
                wanted = ChangeRequest(request=f"{caller} {number}")
                ids.append((await service.changes.submit("shop", wanted, Sending(caller))).id)
        go_on.set()
        for id in ids:
            await service.until_ended(id)
    assert began == ["flood 0", "other 0", "flood 1", "flood 2", "flood 3"]


async def test_a_change_that_is_interrupted_pays_its_model_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering = asyncio.Event()

    async def killed(*_given: object) -> None:
        gathering.set()
        await asyncio.Event().wait()

    async def nothing(*_given: object) -> None:
        """A service that is killed writes nothing any more."""

    answers = replies(unit(RIGHT) + file("test_negative.py", NEW_TEST))
    with model_server(*answers) as server:
        monkeypatch.setattr("app.repositories.changing.loop.gather", killed)
        monkeypatch.setattr(SqliteJobs, "wait_again", nothing)
        async with served(tmp_path, models=models_at(server.url)) as (client, _):
            id = await begin(client)
            async with asyncio.timeout(60):
                await gathering.wait()
            assert (await client.get(f"/changes/{id}")).json()["status"] == "working"
        assert len(server.asked) == 2
        monkeypatch.undo()
        async with served(tmp_path, models=models_at(server.url)) as (client, _):
            made = await ended(client, id)
            calls = (await client.get(f"/jobs/{id}")).json()["model_calls"]
        assert (made["status"], made["branch"]) == ("accepted", f"blendproof/{id}")
        # The plan and the patch are from the record; the review is asked for now.
        assert len(server.asked) == len(calls) == 3 and made["tokens_in"] == 3000
        assert calls[0]["answer"] == json.dumps(PLAN)


async def test_a_question_that_is_interrupted_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = [Reply("See [shop.py:1-2].", delay_s=30, times=9)]
    path, body = REQUESTS["ask"]
    async with served(tmp_path, slow) as (client, service):
        asking = asyncio.create_task(client.post(path, json=body))
        while not (jobs := (await client.get("/jobs?status=running")).json()["jobs"]):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        service.say_stopping()
        assert (await asking).json()["code"] == "service_stopping"
    async with served(tmp_path) as (client, service):
        job = await service.until_ended(jobs[0]["id"])
        assert (job.status, job.error and job.error.code) == ("interrupted", "job_interrupted")
        assert job.error and error_of(job.error).status == 503
        assert (await client.get(f"/jobs/{job.id}")).json()["model_calls"] == []

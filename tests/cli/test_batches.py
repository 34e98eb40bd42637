"""Several files of one call: they are worked on side by side, come out in their order, and end with the call."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from app.cli import artifacts
from app.cli.client import Client, RequestRefused, ServiceFull, ServiceNotAvailable, ShareSpent
from app.cli.main import app
from app.errors import ErrorBody, QuotaSpent
from app.jobs import quotas
from app.jobs.quotas import ago
from tests.quick_service import quick_service

PLACES = 3


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, bare_home: Path) -> Iterator[Client]:
    """A service that takes three runs: it works on two and keeps one waiting."""
    data = tmp_path_factory.mktemp("batches") / "data"
    limits: dict[str, Any] = {"parallel_runs": PLACES - 1, "waiting_runs": 1}
    with quick_service(bare_home, data, **limits) as url, Client(url, None) as client:
        yield client


def bodies(*snippets: str) -> list[dict[str, Any]]:
    return [{"snippet": f"# {snippet}\nimport bpy\n"} for snippet in snippets]


def say_nothing(_number: int, _stage: str) -> None:
    """Nobody looks."""


@pytest.mark.blender
def test_more_files_than_the_service_takes_come_out_in_their_order(client: Client) -> None:
    names = ["first", "wrong", *map(str, range(6))]
    runs = list(client.run_all("/validate", bodies(*names), say_nothing))
    assert [run.title for run in runs] == [f"# {name}" for name in names]
    assert [run.status for run in runs][:3] == ["proven", "not_proven", "proven"]


@pytest.mark.blender
def test_a_call_that_stops_ends_all_that_it_sent(client: Client) -> None:
    def stop(number: int, _stage: str) -> None:
        assert number == 0
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(client.run_all("/validate", bodies(*["endless"] * 5), stop))
    listed = client.call("GET", "/runs")["runs"][:PLACES]
    assert [run["status"] for run in listed] == ["cancelled"] * PLACES


@pytest.mark.blender
def test_a_service_that_others_fill_refuses_the_first_file(client: Client) -> None:
    def stop(_number: int, _stage: str) -> None:
        with pytest.raises(ServiceFull, match="under way or waiting"):
            list(client.run_all("/validate", bodies("late"), say_nothing))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(client.run_all("/validate", bodies(*["endless"] * 5), stop))


@pytest.fixture
def held_to_quota(tmp_path: Path, bare_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a service that begins two runs per minute, and soon has room again."""
    monkeypatch.setattr(QuotaSpent, "headers", {"Retry-After": "0"})
    with quick_service(bare_home, tmp_path / "data", runs_per_minute=2) as url:
        yield url


@pytest.mark.blender
def test_a_quota_is_waited_for_if_it_is_spent_by_the_call_itself(
    held_to_quota: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    minutes = [ago(timedelta(minutes=1))]

    def minute_ago(_: timedelta) -> str:
        return minutes[-1]

    monkeypatch.setattr(quotas, "ago", minute_ago)

    def a_minute_passes(number: int, stage: str) -> None:
        if stage.startswith("waiting, since the quota"):
            assert number in (2, 4)
            minutes.append(ago(timedelta()))

    with Client(held_to_quota, None) as client:
        runs = list(client.run_all("/validate", bodies(*"abcde"), a_minute_passes))
        assert [(run.title, run.status) for run in runs] == [(f"# {name}", "proven") for name in "abcde"]
        assert len(minutes) == 3
        client.run("/validate", bodies("f")[0], lambda _: None)
        with pytest.raises(ShareSpent, match="2 may be"):
            client.run("/validate", bodies("g")[0], lambda _: None)


@pytest.mark.blender
@pytest.mark.parametrize(("files", "code", "told"), [(4, 2, "only 2 of 4 files were judged"), (2, 0, "[2/2] ")])
def test_the_files_that_were_judged_are_told_if_the_service_takes_no_further_one(
    files: int, code: int, told: str, held_to_quota: str, tmp_path: Path
) -> None:
    names = [str(tmp_path / f"{number}.py") for number in range(files)]
    for name in names:
        Path(name).write_text("import bpy\n")
    result = CliRunner().invoke(app, ["validate", *names, "--url", held_to_quota, "--output", str(tmp_path / "out")])
    assert result.exit_code == code, result.output
    assert told in result.output.replace("\n", " ")
    assert [name for name in ("0.py", "1.py", "2.py") if name in result.stdout] == ["0.py", "1.py"]
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"summary.md", "blendproof.sarif"}


class Replaying(Client):
    """A service with these artifacts and two places, which answers when both are taken; the rest is refused."""

    def __init__(self, outcomes: dict[str, Any]) -> None:
        self._outcomes = outcomes
        self._both = threading.Barrier(2, timeout=10)
        self._places = threading.Semaphore(2)

    def call(self, method: str, path: str, **options: Any) -> Any:
        if method == "GET":
            return {"artifacts": [{"id": name, "title": f"make {name}"} for name in self._outcomes], "next": None}
        assert options["params"] == {"blender": "4.5"}
        if not self._places.acquire(blocking=False):
            raise ServiceFull("2 replays are under way.")
        try:
            self._both.wait()
            outcome = self._outcomes[path.split("/")[2]]
            if isinstance(outcome, Exception):
                raise outcome
            return outcome
        finally:
            self._places.release()


def replayed(geometry: str, outcome: str = "passed") -> dict[str, Any]:
    same = geometry == "exact" and outcome == "passed"
    made = {"geometry": {"state": geometry}, "picture": {"state": "exact"}}
    return {"same": same, "outcome": outcome, "reason": "it raised ValueError", **made}


REFUSED = RequestRefused(ErrorBody(code="artifact_damaged", message="It was changed.", hint="", details={}))


@pytest.mark.parametrize(
    ("outcomes", "told", "code"),
    [
        ({"a-1": replayed("exact"), "a-2": replayed("exact")}, ["the same", "the same"], 0),
        (
            {"a-1": replayed("different"), "a-2": replayed("exact"), "a-3": replayed("none", "raised"), "a-4": REFUSED},
            ["not the same", "the same", "not the same", "not replayed"],
            1,
        ),
        (
            {"a-1": ServiceNotAvailable("It does not answer."), "a-2": replayed("none")},
            ["no answer", "not the same"],
            3,
        ),
        ({}, [], 0),
    ],
)
def test_artifacts_are_made_again_side_by_side(
    outcomes: dict[str, Any], told: list[str], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def service_at(_url: None, *, runs: bool) -> contextlib.AbstractContextManager[Client]:
        assert runs
        return contextlib.nullcontext(Replaying(outcomes))

    monkeypatch.setattr(artifacts, "service_at", service_at)
    monkeypatch.setattr("app.cli.client.POLL_S", 0.01)
    result = CliRunner().invoke(app, ["artifacts", "replay", "--on", "4.5"])
    lines = [line.split("\t") for line in result.stdout.splitlines()]
    assert [line[:3] for line in lines] == [
        [name, outcome, f"make {name}"] for name, outcome in zip(outcomes, told, strict=True)
    ]
    assert result.exit_code == code, result.output

"""What is kept of a run while it is under way, and how one that was interrupted goes on."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph  # pyright: ignore[reportMissingTypeStubs]

from app.jobs.request import ValidateRequest
from app.jobs.run import Attempt, JobStatus
from app.jobs.tables import JobStore
from app.pipeline.context import RunContext
from app.pipeline.loop import RunLoop
from app.pipeline.state import State, after_attempt, first_state
from app.service.service import Service
from app.verdict.rules import load_rules
from app.verdict.verdict import STAGES, judged, make_verdict
from harness.blenders import BlenderNotAvailable
from harness.readers import Readers
from tests.service.standing import BLENDER, FullDisk, a_service

NO_PYTHON = "import bpy\nif True  # the snippet\n"
FILE = base64.b64encode(b"the contents of a file").decode()


class KeptCheckpoints:
    """A loop that keeps the checkpoints of what has ended."""

    def __init__(self, loop: RunLoop) -> None:
        self.run = loop.run

    async def forget(self, _run_id: str) -> None:
        """Nothing is forgotten."""


async def checkpoints_of(file: Path, run_id: str) -> list[dict[str, Any]]:
    """The states that are on disk, the oldest first."""
    async with AsyncSqliteSaver.from_conn_string(str(file)) as saver:
        return [one.checkpoint["channel_values"] async for one in saver.alist(config_of(run_id))][::-1]


def bytes_of(folder: Path) -> bytes:
    """All that is on disk of checkpoints."""
    return b"".join(file.read_bytes() for file in folder.glob("checkpoints.sqlite*"))


def config_of(run_id: str) -> Any:
    return {"configurable": {"thread_id": run_id}}


@pytest.fixture
async def loop(tmp_path: Path) -> AsyncIterator[RunLoop]:
    """The loop of the service, in which a snippet that cannot be read needs no Blender."""
    loop = await RunLoop.open(tmp_path / "checkpoints.sqlite")
    yield loop
    await loop.close()


def the_blender(_name: str) -> Any:
    return BLENDER


def without_blender(runs: JobStore, tmp_path: Path, loop: RunLoop, readers: Readers) -> Service:
    def no_manifest(_blender: object) -> None:
        raise BlenderNotAvailable("There is no manifest.")

    kept: Any = KeptCheckpoints(loop)
    manifests = SimpleNamespace(of=no_manifest)
    return a_service(
        runs, tmp_path, kept, rules=load_rules(), readers=readers, manifests=manifests, blender=the_blender
    )


async def test_a_checkpoint_holds_nothing_that_the_record_has(
    runs: FullDisk, tmp_path: Path, loop: RunLoop, readers: Readers
) -> None:
    service = without_blender(runs, tmp_path, loop, readers)
    request = ValidateRequest.model_validate(
        {"snippet": NO_PYTHON, "files": [{"name": "a.txt", "content": FILE}], "arguments": ["an argument"]}
    )
    run = await service.finished((await service.submit(request)).id)
    assert (run.status, [attempt.snippet for attempt in run.attempts]) == (JobStatus.NOT_PROVEN, [NO_PYTHON])
    states = await checkpoints_of(tmp_path / "checkpoints.sqlite", run.id)
    drafted = [state["draft"]["snippet"] for state in states if state.get("draft")]
    # Until it is judged the snippet is in no record.
    assert set(drafted) == {NO_PYTHON}
    last = {name: states[-1][name] for name in State.__annotations__ if name in states[-1]}
    assert last == {**first_state(), **after_attempt(1)}
    kept = bytes_of(tmp_path)
    assert b"# the snippet" in kept
    for brought in (FILE, "the contents of a file", "an argument"):
        assert brought.encode() not in kept


async def test_a_run_that_an_earlier_release_left_in_the_middle_begins_anew(
    runs: FullDisk, tmp_path: Path, loop: RunLoop, readers: Readers
) -> None:
    class Earlier(TypedDict):
        run_id: str
        drafts: list[str]

    def judge(_state: Earlier) -> dict[str, Any]:
        raise AssertionError("it was interrupted before")

    request = ValidateRequest(snippet=NO_PYTHON).model_dump(mode="json")
    run_id = await runs.add("validate", "x", BLENDER.name, request)
    for number in (1, 2):
        await runs.add_attempt(run_id, attempt_of(number))
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "checkpoints.sqlite")) as saver:
        graph: Any = StateGraph(Earlier)
        graph.add_node("judge", judge)
        graph.add_edge(START, "judge")
        left = graph.compile(checkpointer=saver, interrupt_before=["judge"])
        await left.ainvoke({"run_id": run_id, "drafts": ["one", "two"]}, config_of(run_id))
    service = without_blender(runs, tmp_path, loop, readers)
    service.work.begin(await service.tools.runs.job(run_id))
    run = await service.finished(run_id)
    assert (run.status, [one.snippet for one in run.attempts]) == (JobStatus.NOT_PROVEN, [NO_PYTHON])


def attempt_of(number: int) -> Attempt:
    verdict = make_verdict([judged(name, []) for name in STAGES], {})
    return Attempt(number=number, author="caller", notes=[], snippet="x", symbols=[], verdict=verdict, report=None)


async def test_a_run_ends_the_same_wherever_it_was_interrupted(
    runs: FullDisk, tmp_path: Path, loop: RunLoop, readers: Readers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record is written, but the step does not come to its end."""
    service = without_blender(runs, tmp_path, loop, readers)
    for method in ("begin_stage", "add_attempt", "add_events"):
        kept, times = getattr(runs, method), {"left": 2}

        async def write_and_die(*given: Any, kept: Any = kept, times: dict[str, int] = times) -> None:
            await kept(*given)
            if times["left"]:
                times["left"] -= 1
                raise KilledHere

        run_id = await runs.add(
            "validate", "x", BLENDER.name, ValidateRequest(snippet=NO_PYTHON).model_dump(mode="json")
        )
        context = await RunContext.read(service.tools, await runs.summary(run_id))
        monkeypatch.setattr(runs, method, write_and_die)
        for _ in range(2):
            with pytest.raises(KilledHere):
                await loop.run(context)
        assert (await loop.run(context))["number"] == 1
        assert [one.snippet for one in await runs.records(run_id, Attempt)] == [NO_PYTHON]
        monkeypatch.setattr(runs, method, kept)


class KilledHere(Exception):
    """The service is killed."""

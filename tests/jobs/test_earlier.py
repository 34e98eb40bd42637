"""A request that goes on from an earlier one: where the snippet comes from, and who may change it."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from app.drafting.commands import Commands
from app.drafting.draft import NotUnderstood
from app.errors import InvalidRequest
from app.jobs.earlier import LONGEST_REQUEST, LONGEST_SNIPPET, as_many_as_fit
from app.jobs.kinds import RunKind
from app.jobs.request import GenerateRequest, ValidateRequest
from app.jobs.run import AcceptanceRecord, Attempt, JobStatus
from app.jobs.sqlite import SqliteJobs
from app.pipeline.drafting import NOT_WRITTEN_BY_COMMANDS, draft_all_by_commands
from app.service.continuing import with_earlier
from harness.blenders import Blender
from ingest.manifest import Manifest
from tests.verdicts import PASSED

BOX = "Add a red cube called Box"
MOVE = "Move Box to (0, 0, 3)."


@pytest.fixture
async def runs(tmp_path: Path) -> AsyncIterator[SqliteJobs]:
    runs = await SqliteJobs.open(tmp_path / "runs.sqlite")
    yield runs
    await runs.close()


async def ended(runs: SqliteJobs, request: GenerateRequest | ValidateRequest, snippet: str | None) -> str:
    """A run that ended with this snippet."""
    kind: RunKind = "generate" if isinstance(request, GenerateRequest) else "validate"
    run_id = await runs.add(kind, "title", "5.0.1", request.model_dump(mode="json"))
    if snippet is not None:
        attempt = Attempt(number=1, author="model", notes=[], snippet=snippet, symbols=[], verdict=PASSED, report=None)
        await runs.add_attempt(run_id, attempt)
    await runs.finish(run_id, JobStatus.NOT_PROVEN)
    return run_id


def asked(request: str, **more: Any) -> GenerateRequest:
    return GenerateRequest.model_validate({"request": request, **more})


async def test_a_run_is_gone_on_from_with_all_its_requests(runs: SqliteJobs) -> None:
    first = await ended(runs, asked("a tower"), "one = 1\n")
    second = await with_earlier(asked("make it taller", continues=first), runs)
    third = await with_earlier(asked("and red", continues=await ended(runs, second, "two = 2\n")), runs)
    assert third.earlier and third.continues is None
    assert (third.earlier.requests, third.earlier.snippet) == (["a tower", "make it taller"], "two = 2\n")
    assert third.all_requests() == "a tower.\nmake it taller.\nand red."
    said = third.for_a_model()
    assert "- a tower\n- make it taller\n" in said and "two = 2" in said and said.endswith("\nand red")
    assert GenerateRequest.model_validate_json(third.model_dump_json()) == third


async def test_a_snippet_that_was_brought_is_gone_on_from_too(runs: SqliteJobs) -> None:
    brought = await ended(runs, ValidateRequest(snippet="import bpy\n"), "import bpy\n")
    request = await with_earlier(asked("make it taller", continues=brought), runs)
    assert request.earlier and (request.earlier.requests, request.earlier.snippet) == ([], "import bpy\n")


async def test_the_start_scene_and_the_checks_of_a_run_are_gone_on_from(runs: SqliteJobs) -> None:
    held = {"check": "object", "name": "Tower", "added": True}
    first = await ended(runs, asked("a tower", setup={"snippet": "import bpy\n"}), "one = 1\n")
    await runs.keep(first, AcceptanceRecord(author="model", checks=[held]))
    taller = await with_earlier(asked("make it taller", **{"continue": first}), runs)
    assert taller.setup and taller.setup.snippet == "import bpy\n"
    assert "Repeat each that still holds" in taller.for_checks() and json.dumps(held) in taller.for_checks()
    assert "holds, unless the last one says otherwise" in taller.for_a_model()
    assert json.dumps(held) not in taller.for_a_model()
    own = await with_earlier(asked("taller", continues=first, setup={"snippet": "import os\n"}), runs)
    assert own.setup and own.setup.snippet == "import os\n"
    nothing_held = await with_earlier(asked("taller", continues=await ended(runs, asked("a tower"), "x = 1\n")), runs)
    assert (nothing_held.setup, nothing_held.for_checks()) == (None, nothing_held.for_a_model())


async def test_a_blend_that_a_run_started_from_must_be_sent_again(runs: SqliteJobs) -> None:
    scene = {"blend": base64.b64encode(b"BLENDER").decode()}
    first = await ended(runs, asked("a tower", setup=scene), "one = 1\n")
    with pytest.raises(InvalidRequest, match=r"started from a \.blend, which is not kept"):
        await with_earlier(asked("taller", continues=first), runs)
    assert (await with_earlier(asked("taller", continues=first, setup=scene), runs)).earlier


async def test_what_cannot_be_gone_on_from_is_named(runs: SqliteJobs) -> None:
    under_way = await runs.add("generate", "title", "5.0.1", asked("a tower").model_dump(mode="json"))
    cases = {
        "r-none": "There is no run r-none",
        "foo": "There is no run foo",
        under_way: "has not ended",
        await ended(runs, asked("a tower"), None): "has no snippet",
        await ended(runs, asked("a tower"), "x" * (LONGEST_SNIPPET + 1)): "more than 65536 characters",
    }
    for run_id, said in cases.items():
        with pytest.raises(InvalidRequest, match=f"body.continues: .*{said}"):
            await with_earlier(asked("make it taller", continues=run_id), runs)


def test_what_is_too_long_together_is_refused_or_loses_the_first() -> None:
    parts, snippet = ["a" * 1900, "b" * 1900], "import bpy\n"
    with pytest.raises(ValidationError, match="all requests together"):
        asked("c" * 300, earlier={"requests": parts, "snippet": snippet})
    assert asked("c" * 100, earlier={"requests": parts, "snippet": snippet}).earlier
    assert as_many_as_fit(parts, "c" * 300) == parts[1:]
    assert as_many_as_fit(parts, "c" * 100) == parts
    assert as_many_as_fit(parts, "c" * LONGEST_REQUEST) == []


def test_both_ways_at_once_are_refused() -> None:
    with pytest.raises(ValidationError, match="not both"):
        asked("red", continues="r-1", earlier={"snippet": "x"})


def test_commands_change_only_what_commands_wrote(manifest: Manifest, blender: Blender) -> None:

    def of(_blender: Blender) -> Manifest:
        return manifest

    tools: Any = SimpleNamespace(drafter=Commands(), manifests=SimpleNamespace(of=of))
    before = draft_all_by_commands(tools, asked(BOX), [blender]).snippet

    def onwards(requests: list[str], snippet: str) -> str:
        request = asked(MOVE, earlier={"requests": requests, "snippet": snippet})
        return draft_all_by_commands(tools, request, [blender]).snippet

    both = onwards([BOX], before)
    assert "primitive_cube_add" in both and "(0.0, 0.0, 3.0)" in both
    for requests, snippet in (
        ([BOX], before + "print('mine')\n"),
        ([], before),
        (["A lighthouse on a cliff"], before),
    ):
        with pytest.raises(NotUnderstood) as refused:
            onwards(requests, snippet)
        assert refused.value.reason == NOT_WRITTEN_BY_COMMANDS

"""One snippet on several Blenders, through the whole service: verify_on, portable, and rows that cannot be judged."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from PIL import Image

import app.service.startup
from app.cli.matrix import cells_of
from app.errors import SandboxMissing, StorageFailed
from app.healing.everywhere import Build, heal_everywhere
from app.jobs.run import Attempt, MatrixRow
from app.jobs.sqlite import SqliteJobs
from app.pipeline import matrix
from app.settings import Settings
from app.verdict.verdict import STAGES, Finding, Severity, judged, make_verdict
from harness.blenders import Blender, choose
from ingest.manifest import manifest_of
from tests.fixtures import DEBIAN_BLENDER, serving
from tests.service.serving import SENTENCE
from tests.versions.snippets import OLD_COMPOSITOR

SMALL = {"size": 64, "samples": 1}
CHECKERS = {"warm_checkers": 3}
"""One mypy, and a pyright for each of two Blenders."""


async def run_of(client: httpx2.AsyncClient, path: str, **body: Any) -> dict[str, Any]:
    answer = await client.post(path, json={"render": SMALL, **body}, timeout=600)
    run: dict[str, Any] = answer.json()
    assert answer.status_code == 200, run
    return run


def verdicts(run: dict[str, Any]) -> dict[str, bool]:
    return {row["blender"].rpartition(".")[0]: row["proven"] for row in run["matrix"]}


@pytest.mark.blender
async def test_a_run_is_judged_on_every_blender_that_was_asked_for(
    wheels: dict[str, Blender], settings_with_stubs: Settings
) -> None:
    executable = DEBIAN_BLENDER if DEBIAN_BLENDER.exists() else None
    async with serving(settings_with_stubs.model_copy(update={"blender": executable, **CHECKERS})) as client:
        health = (await client.get("/health")).json()
        others = [blender["version"] for blender in health["blenders"] if not blender["version"].startswith("4.2")]
        sentence = await run_of(client, "/generate", request=SENTENCE, blender="5.0", verify_on=others)
        old = await run_of(client, "/validate", snippet=OLD_COMPOSITOR, blender="4.5", verify_on=["5.0", "4.5", "5.0"])
        shown = [row["picture"] for row in sentence["matrix"] if row["picture"]]
        pictures = [(await client.get(picture)).content for picture in shown]
        events = (await client.get(f"/runs/{old['id']}/events", headers={"Last-Event-ID": "0"})).text
        receipt = (await client.get(f"/artifacts/{sentence['artifact']['id']}/receipt.json")).json()
    # `Mesh.shade_smooth` came with Blender 4.1.
    holds = {version: version > "4.1" for version in others}
    assert verdicts(sentence) == {version.rpartition(".")[0]: proven for version, proven in holds.items()}
    assert len(pictures) == sum(holds.values())
    assert next(iter(verdicts(sentence))) == "5.0"
    assert all(Image.open(io.BytesIO(picture)).size == (64, 64) for picture in pictures)
    assert set(receipt["provenance"]["holds_on"]) == {version for version in others if holds[version]} - {
        wheels["5.0"].version
    }

    # The run's own verdict stays that of its target.
    assert (old["status"], verdicts(old)) == ("proven", {"4.5": True, "5.0": False})
    row = old["matrix"][1]
    assert (row["build_hash"], row["verdict"]["reached"]) == (wheels["5.0"].build_hash, "api")
    said = [finding["message"] for stage in row["verdict"]["stages"] for finding in stage["findings"]]
    assert "`Scene.node_tree` is gone since Blender 5.0" in said
    assert row["report"]["outcome"] != "passed"
    assert "matrix: Blender 5.0" in events and "event: matrix" in events


@pytest.mark.blender
async def test_a_portable_snippet_branches_where_it_must(wheels: dict[str, Blender], settings: Settings) -> None:
    async with serving(settings) as client:
        options = {"blender": "5.0", "verify_on": ["4.5"], "portable": True}
        drafted = await run_of(client, "/generate", request="Set the render engine to EEVEE", **options)
        healed = await run_of(client, "/validate", snippet=OLD_COMPOSITOR, heal=True, **options)
        page = (await client.get(f"/page/runs/{healed['id']}")).text
    assert (drafted["status"], verdicts(drafted), len(drafted["attempts"])) == ("proven", {"5.0": True, "4.5": True}, 1)
    branch = (
        "if bpy.app.version >= (5, 0, 0):", 'scene.render.engine = "BLENDER_EEVEE"', "else:",
        'scene.render.engine = "BLENDER_EEVEE_NEXT"',
    )  # fmt: skip
    lines = [line.strip() for line in drafted["snippet"].splitlines() if "#" not in line]
    assert lines[lines.index(branch[0]) :][:4] == list(branch)

    first, *_, last = healed["attempts"]
    assert (first["verdict"]["passed"], last["verdict"]["passed"]) == (False, True)
    said = [finding["message"] for stage in first["verdict"]["stages"] for finding in stage["findings"]]
    assert f"on Blender {wheels['5.0'].version}: `Scene.node_tree` is gone since Blender 5.0" in said
    assert (healed["status"], verdicts(healed)) == ("proven", {"5.0": True, "4.5": True})
    assert "compositing_node_group" in healed["snippet"] and "scene.node_tree" in healed["snippet"]
    assert healed["snippet"].count("bpy.app.version") == 1
    assert all(version in page for version in ("5.0.1", "4.5."))


@pytest.mark.blender
async def test_a_row_that_cannot_be_judged_says_so(
    settings: Settings, blender: Blender, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone = Blender("module", tmp_path / "4.9" / "bin" / "python", "4.9.0", "abc", "3.11.2")

    def found(_: Settings) -> tuple[list[Blender], None]:
        return [blender, gone], None

    monkeypatch.setattr(app.service.startup, "look_for_blenders", found)
    async with serving(settings) as client:
        run = await run_of(client, "/validate", snippet="import bpy\n", verify_on=["4.9"])
    assert (run["status"], verdicts(run)) == ("proven", {blender.series: True, "4.9": False})
    assert run["matrix"][1]["verdict"] is None
    assert run["matrix"][1]["problem"]


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (FileNotFoundError(2, "No such file", "/srv/secret/scene.blend"), "FileNotFoundError: No such file"),
        (ValueError("odd scene.blend"), "ValueError: odd scene.blend"),
        (SandboxMissing("There is no sandbox."), "There is no sandbox."),
    ],
)
async def test_a_row_shows_no_path_of_the_machine(
    error: Exception, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await row_after(error, tmp_path, monkeypatch)).problem == problem


async def test_a_disk_that_fails_says_nothing_of_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StorageFailed):
        await row_after(StorageFailed("The object store does not answer."), tmp_path, monkeypatch)


async def row_after(error: Exception, folder: Path, monkeypatch: pytest.MonkeyPatch) -> MatrixRow:
    """The row of a Blender on which judging ends with this error."""

    async def judge_on(*_: object) -> None:
        raise error

    monkeypatch.setattr(matrix, "judge_on", judge_on)
    blender = Blender("module", folder / "python", "4.9.0", "abc", "3.11.2")
    attempt: Any = SimpleNamespace(number=1)
    context: Any = SimpleNamespace(work_folder=folder)
    return await matrix.row_on(blender, attempt, context)


async def test_a_blender_that_is_not_there_is_refused_before_anything_runs(
    client: httpx2.AsyncClient, blender: Blender
) -> None:
    for path, body in (("/generate", {"request": "add a cube"}), ("/validate", {"snippet": "import bpy\n"})):
        for wrong, said in (
            ({"verify_on": ["1.0"]}, "body.verify_on"),
            ({"verify_on": ["5.0"] * 9}, "body.verify_on"),
            ({"portable": True}, "verify_on"),
        ):
            answer = await client.post(path, json={**body, **wrong})
            assert answer.status_code == 422, answer.text
            assert said in answer.json()["message"]
    assert (await client.get("/runs")).json()["runs"] == []


def failed_verdict(message: str) -> Any:
    found = [Finding(check="execute", code="raised", severity=Severity.ERROR, message=message)]
    return make_verdict([judged(name, found if name == "execute" else []) for name in STAGES], {})


PASSED = make_verdict([judged(name, []) for name in STAGES], {})


@pytest.mark.blender
def test_a_repair_that_would_break_another_blender_becomes_a_branch(wheels: dict[str, Blender], home: Path) -> None:
    old, new = (choose(list(wheels.values()), series) for series in ("4.5", "5.0"))
    builds = [
        Build(tuple(map(int, one.version.split("."))), manifest_of(home, one), verdict, None)
        for one, verdict in ((old, PASSED), (new, failed_verdict("TypeError")))
    ]
    snippet = (
        'import bpy\n\nbpy.context.scene.render.engine = "BLENDER_EEVEE_NEXT"\n'
        "for obj in bpy.data.objects:\n    obj.select = True\n"
    )
    shared, apart = (heal_everywhere(snippet, builds, mode) for mode in (False, True))
    assert shared and apart
    # What holds on both takes the place of the old; what does not is for the one that needs it.
    assert shared.snippet.count("bpy.app.version") == 1
    assert "    obj.select_set(True)\n" in shared.snippet and "obj.select = True" not in shared.snippet
    assert apart.snippet.count("bpy.app.version") == 1
    assert "obj.select_set(True)" in apart.snippet
    assert any("for Blender 5.0" in repair.reason for repair in shared.faults)


def row_of(blender: str, attempt: int = 1, proven: bool = True) -> MatrixRow:
    verdict = PASSED if proven else failed_verdict("it raised")
    return MatrixRow(
        attempt=attempt, blender=blender, build_hash="", proven=proven, verdict=verdict, problem=None, report=None,
        picture=None, seconds=1.0,
    )  # fmt: skip


async def test_rows_are_written_once_and_belong_to_the_last_snippet(tmp_path: Path) -> None:
    runs = await SqliteJobs.open(tmp_path / "runs.sqlite")
    run = await runs.add("validate", "title", "5.0.1", {})
    for number, snippet in enumerate(("one", "two", "one"), 1):
        made = Attempt(
            number=number, author="caller", notes=[], snippet=snippet, symbols=[], verdict=PASSED, report=None
        )
        await runs.add_attempt(run, made)
    await runs.add_row(run, 0, row_of("5.0.1"))
    await runs.add_row(run, 0, row_of("5.0.1", proven=False))
    await runs.add_row(run, 1, row_of("4.5.15"))
    await runs.add_row(run, 0, row_of("5.0.1", attempt=2, proven=False))
    rows = (await runs.run(run)).matrix
    await runs.close()
    assert [(row.blender, row.attempt, row.proven) for row in rows] == [("5.0.1", 1, True), ("4.5.15", 1, True)]


def test_a_row_as_people_read_it() -> None:
    assert cells_of(row_of("5.0.1")) == ("5.0.1", "proven", "", "1.0", "")
    assert cells_of(row_of("4.5.15", proven=False)) == ("4.5.15", "not proven", "execute", "1.0", "it raised")

"""Runs and artifacts on disk: nothing half written, nothing written twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.artifacts import store as artifact_store
from app.artifacts.store import ArtifactStore
from app.checks.verdict import STAGES, judged, make_verdict
from app.errors import ArtifactNotFound, RunNotFound
from app.run import Attempt, RunStatus
from app.store import RunStore

RUN = "r-0123456789abcdef"


def attempt(number: int = 1) -> Attempt:
    report: dict[str, Any] = {
        "blender": {"version": "5.0.1"},
        "evidence": {
            "render": {
                "nothing_to_render": False,
                "size_px": 8,
                "pictures": [{"view": "front", "file": "front.png"}, {"view": "top", "file": "top.png"}],
            }
        },
    }
    verdict = make_verdict([judged(name, []) for name in STAGES], {})
    return Attempt(number=number, author="caller", notes=[], symbols=[], snippet="import bpy\n", verdict=verdict, report=report)


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for view in ("front", "top"):
        Image.new("RGB", (8, 8)).save(folder / f"{view}.png")
    return folder


def test_an_artifact_is_read_as_it_was_published(tmp_path: Path, pictures: Path) -> None:
    artifacts = ArtifactStore(tmp_path / "artifacts")
    published = artifacts.publish(RUN, "validate", "import bpy", attempt(), pictures)
    assert published is not None
    assert artifacts.read(published.id) == published
    assert set(published.sha256) == {"picture.png", "snippet.py", "report.json", "views/top.png"}
    assert artifacts.file(published.id, "snippet.py").read_text() == "import bpy\n"
    assert artifacts.view(published.id, "top").is_file()
    assert artifacts.publish(RUN, "validate", "import bpy", attempt(), pictures) == published
    assert artifacts.count() == 1


def test_an_artifact_is_there_whole_or_not_at_all(
    tmp_path: Path, pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def power_cut(_: Path) -> None:
        raise OSError("power cut")

    artifacts = ArtifactStore(tmp_path / "artifacts")
    monkeypatch.setattr(artifact_store, "sync", power_cut)
    with pytest.raises(OSError, match="power cut"):
        artifacts.publish(RUN, "validate", "import bpy", attempt(), pictures)
    assert artifacts.count() == 0
    with pytest.raises(ArtifactNotFound):
        artifacts.read("a-0123456789abcdef")
    ArtifactStore(tmp_path / "artifacts")
    assert list((tmp_path / "artifacts").iterdir()) == []


@pytest.mark.parametrize("artifact_id", ["a-", "a-..", "../a-1", "a-1/../..", "", "a-\x00", "b-1"])
def test_no_name_leads_out_of_the_folder(artifact_id: str, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"")
    with pytest.raises(ArtifactNotFound):
        ArtifactStore(tmp_path / "artifacts").file(artifact_id, "picture.png")


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    runs = RunStore(tmp_path / "runs.sqlite")
    run_id = runs.add("validate", "  two\nlines " + "x" * 400, "5.0.1", {"snippet": "1"})
    runs.start(run_id)
    runs.add_attempt(run_id, attempt())
    runs.add_attempt(run_id, attempt())
    runs.finish(run_id, RunStatus.CANCELLED)
    runs.finish(run_id, RunStatus.PROVEN, artifact="a-1")
    runs.close()

    again = RunStore(tmp_path / "runs.sqlite")
    run = again.run(run_id)
    assert (run.status, run.artifact, len(run.attempts), run.snippet) == (
        "cancelled",
        None,
        1,
        "import bpy\n",
    )
    assert run.title.startswith("two lines xxx") and len(run.title) == 200
    assert again.request(run_id) == {"snippet": "1"}
    assert again.unfinished() == []
    assert json.loads(run.model_dump_json())["finished_at"]
    with pytest.raises(RunNotFound):
        again.run("r-0")
    again.close()

"""Artifacts on disk: named by content, whole or not at all, mended."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from app.artifacts import geometry, repair
from app.artifacts.pictures import bits_apart, looks_of
from app.artifacts.store import store as artifact_store
from app.artifacts.store.artifact import Artifact, Sighting, content_id
from app.artifacts.store.record import file_hash, title_of
from app.artifacts.store.sealed import sealed, unsealed
from app.artifacts.store.store import ArtifactStore
from app.errors import ArtifactNotFound, RunNotFound
from app.jobs.pictures import RunPictures
from harness.order import Order
from harness.protocol import RenderSettings
from tests.small_artifacts import draw, proof, scene

BLENDER = {"version": "5.0.1", "build_hash": "abc", "kind": "module", "python": "3.11.2"}


def test_an_artifact_is_read_as_it_was_published(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    made = store.publish(proof(tmp_path, "add a golden ball", draw("ball", "gold"), views=3))
    assert made is not None
    assert store.read(made.id) == made
    assert set(made.sha256) == {
        "picture.png", "snippet.py", "report.json", "receipt.json", "contact-sheet.png", "views/front.png",
        "views/top.png",
    }  # fmt: skip
    assert made.tags == ["bevel", "material", "mesh", "metallic", "smooth"]
    assert (made.object_types, made.objects, made.title) == (["MESH"], ["Ball"], "add a golden ball")
    assert made.looks == looks_of(draw("ball", "gold"))
    assert {swatch.color for swatch in made.looks.palette} & {"#ffd700", "#161a22"}
    with Image.open(io.BytesIO(store.content(made.id, "contact-sheet.png"))) as sheet:
        assert sheet.width > 2 * 320
    assert store.view(made.id, "top").startswith(b"\x89PNG")
    receipt = store.receipt(made.id)
    assert store.order(made.id) == Order(
        snippet="# add a golden ball\nimport bpy\n",
        render=RenderSettings(size_px=128, views=("three_quarter", "front", "top")),
    )
    assert (receipt.geometry, receipt.provenance.checks) == (made.geometry, {"ruff": "0"})


def test_the_same_snippet_on_the_same_build_is_one_artifact_seen_twice(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    code = "import bpy\n"
    first = store.publish(proof(tmp_path, "add a ball", draw("ball", "red"), snippet=code))
    again = store.publish(proof(tmp_path, "a ball, please", draw("ball", "red"), snippet=code, run="r-2"))
    store.publish(proof(tmp_path, "add a ball", draw("ball", "red"), snippet=code))
    other = store.publish(proof(tmp_path, "add a ball", draw("ball", "red"), snippet=code, version="4.5.0", run="r-3"))
    assert first and again and other
    assert (first.id == again.id, first.id == other.id, store.count()) == (True, False, 2)
    assert [seen.run for seen in store.sightings(first.id)] == ["r-0000000000000001", "r-2"]
    assert {seen.title for seen in store.details(first.id).sightings} == {"add a ball", "a ball, please"}


def test_of_many_sightings_the_first_and_the_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifact_store, "MOST_SEEN", 3)
    store = ArtifactStore(tmp_path / "artifacts")
    made = store.publish(proof(tmp_path, "add a ball", draw("ball", "red"), run="r-first"))
    assert made is not None
    for place in range(6):
        seen = Sighting(
            run=f"r-{place}", origin="run", title="x", request=None, at=f"2999-01-01T00:00:0{place}.000+00:00"
        )
        store.see(made.id, seen)
    assert [seen.run for seen in store.sightings(made.id)] == ["r-first", "r-3", "r-4", "r-5"]


def test_an_id_tells_apart_what_is_run_and_rendered_otherwise() -> None:
    orders = [
        Order("import bpy\n"),
        Order("import bpy\n\n"),
        Order("import bpy\n", arguments=("1",)),
        Order("import bpy\n", arguments=("", "1")),
        Order("import bpy\n", files=(("1", b""),)),
        Order("import bpy\n", setup_snippet="import bpy\n"),
        Order("import bpy\n", setup_blend=b"import bpy\n"),
        Order("import bpy\n", render=RenderSettings(size_px=512)),
    ]
    assert len({content_id(order, BLENDER) for order in orders}) == len(orders)
    assert content_id(orders[0], BLENDER) != content_id(orders[0], {**BLENDER, "build_hash": "abd"})
    assert content_id(orders[0], BLENDER) == content_id(Order("import bpy\n"), {**BLENDER, "python": "3.11.9"})


def test_what_the_caller_brought_comes_back_from_the_receipt(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    brought = Order(
        snippet="import bpy\n",
        arguments=("--fast",),
        files=(("notes of mine.txt", b"\x00\xff"),),
        setup_blend=b"BLENDER",
    )
    made = store.publish(proof(tmp_path, None, draw("ball", "red"), snippet="import bpy\n", order=brought))
    assert made is not None
    assert store.order(made.id) == brought


def test_an_artifact_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def power_cut(_: Path) -> None:
        raise OSError("power cut")

    store = ArtifactStore(tmp_path / "artifacts")
    with monkeypatch.context() as cut:
        cut.setattr(artifact_store, "sync", power_cut)
        with pytest.raises(OSError, match="power cut"):
            store.publish(proof(tmp_path, "add a ball", draw("ball", "red")))
    assert store.count() == 0
    assert list((tmp_path / "artifacts").iterdir()) == []


@pytest.mark.parametrize("artifact_id", ["a-", "a-..", "../a-1", "a-1/../..", "", "a-\x00", "b-1"])
def test_no_name_leads_out_of_the_folder(artifact_id: str, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"")
    store = ArtifactStore(tmp_path / "artifacts")
    for use in (lambda: store.content(artifact_id, "picture.png"), lambda: store.delete(artifact_id)):
        with pytest.raises(ArtifactNotFound):
            use()
    with pytest.raises(RunNotFound):
        RunPictures(tmp_path / "unproven", tmp_path / "matrix").unproven(artifact_id)


def test_a_deleted_artifact_is_gone(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    kept, gone = (store.publish(proof(tmp_path, words, draw("ball", "red"))) for words in ("a ball", "a box"))
    assert kept and gone
    store.delete(gone.id)
    with pytest.raises(ArtifactNotFound):
        store.read(gone.id)
    assert list((tmp_path / "artifacts").iterdir()) == [tmp_path / "artifacts" / kept.id]


def test_a_title_is_what_was_asked_or_what_the_snippet_says_of_itself() -> None:
    evidence: dict[str, Any] = {
        "scene": scene("Ring"),
        "changes": {"added": {"objects": ["Ring"]}, "changed": {"objects": {}}},
        "render": {},
    }
    assert title_of("add a\nring", "import bpy", evidence) == "add a ring"
    assert title_of(None, '"""Make a ring.\n\nMore."""\nimport bpy', evidence) == "Make a ring."
    assert title_of(None, "#!/usr/bin/env python\n# short\n# A ring of gold\n", evidence) == "A ring of gold"
    assert title_of(None, "import bpy", evidence) == "Ring: bevel, material, mesh, metallic"


def test_the_geometry_is_compared_to_a_hair() -> None:
    before = scene()
    assert geometry.signature(before) == geometry.signature(scene(location=[-0.0, 0.0, 0.0]))
    assert geometry.differences(before, scene(location=[1e-6, 0.0, 0.0], shape="ff")) == []
    assert geometry.differences(before, scene(location=[0.01, 0.0, 0.0])) == [
        "Ball has location [0.01, 0.0, 0.0], not [0.0, 0.0, 0.0]"
    ]
    assert geometry.differences(before, scene("Box")) == ["Ball is missing", "Box is new"]
    assert geometry.differences(before, scene(vertices=9)) == ["Ball has vertices 9, not 8"]
    assert geometry.differences(before, scene(dimensions=[None, 2.0, 2.0]))


def test_hashes_know_the_same_picture_at_another_size() -> None:
    small, large, other = (looks_of(picture) for picture in (
        draw("ball", "red", 128), draw("ball", "red", 400), draw("bars", "red", 128)
    ))  # fmt: skip
    assert bits_apart(small.phash, large.phash) <= 4 < 12 < bits_apart(small.phash, other.phash)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def retitle(file: Path) -> None:
    record, _ = unsealed(Artifact, file.read_bytes())
    file.write_bytes(sealed(record.model_copy(update={"title": "Free money", "tags": ["gold"]})))


def rewrite(folder: Path) -> None:
    (folder / "snippet.py").write_text("import os\n")
    receipt = json.loads((folder / "receipt.json").read_bytes())
    receipt["sha256"]["snippet.py"] = file_hash(folder / "snippet.py")
    (folder / "receipt.json").write_text(json.dumps(receipt))


DAMAGE: dict[str, tuple[Callable[[Path], object], str, bool]] = {
    "no picture": (lambda folder: (folder / "picture.png").unlink(), "picture.png is missing", False),
    "half a picture": (
        lambda folder: (folder / "picture.png").write_bytes((folder / "picture.png").read_bytes()[:300]),
        "picture.png is not what was published",
        False,
    ),
    "another snippet": (lambda folder: (folder / "snippet.py").write_text("import os\n"), "snippet.py is not", False),
    "no receipt": (lambda folder: (folder / "receipt.json").unlink(), "no readable receipt", False),
    "no record": (lambda folder: (folder / "artifact.json").unlink(), "artifact.json is missing", True),
    "half a record": (lambda folder: (folder / "artifact.json").write_text('{"id": "a-'), "artifact.json", True),
    "no contact sheet": (lambda folder: (folder / "contact-sheet.png").unlink(), "contact-sheet.png is missing", True),
    "another title": (
        lambda folder: edit(folder / "artifact.json", '"add a ball"', '"Free money"'),
        "artifact.json",
        True,
    ),
    "a title and a seal that fits": (lambda folder: retitle(folder / "artifact.json"), "artifact.json is not", True),
    "another author": (
        lambda folder: edit(folder / "receipt.json", '"commands"', '"model"'),
        "receipt.json is not",
        False,
    ),
    "another snippet with its hash": (rewrite, "receipt.json is not what was published", False),
    "another contact sheet": (
        lambda folder: (folder / "contact-sheet.png").write_bytes(b""),
        "contact-sheet.png",
        True,
    ),
    "half a sighting": (lambda folder: (folder / "seen" / ".r-2.json.part").write_text("{"), "half-written", True),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_found_and_mended(damage: str, tmp_path: Path) -> None:
    inflict, said, mended = DAMAGE[damage]
    store = ArtifactStore(tmp_path / "artifacts")
    made = store.publish(proof(tmp_path, "add a ball", draw("ball", "red"), views=2))
    twin = store.publish(proof(tmp_path, "add a box", draw("bars", "red"), views=2))
    assert made and twin

    def look(repairs: bool) -> list[repair.Damage]:
        found = repair.examine(store.folder, tmp_path / "gallery", repairs, alone=True)
        return [one for one in found if one.where != "index"]

    assert look(repairs=False) == []
    inflict(store.folder / made.id)
    before = [one.problem for one in look(repairs=False)]
    assert len(before) == 1 and said in before[0]
    assert [one.problem for one in look(repairs=True)] == before
    assert look(repairs=False) == []
    assert store.read(twin.id) == twin
    if mended:
        again = store.read(made.id)
        assert (again.title, again.tags, again.sha256.keys()) == (made.title, made.tags, made.sha256.keys())
    else:
        assert not store.has(made.id)
        aside = list((tmp_path / "damaged").iterdir())
        assert len(aside) == 1 and aside[0].name.startswith(made.id)


def test_publishing_again_replaces_what_is_damaged(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    ball = proof(tmp_path, "add a ball", draw("ball", "red"))
    made = store.publish(ball)
    assert made
    (store.folder / made.id / "artifact.json").write_text("")
    again = store.publish(ball)
    assert again and again.id == made.id and store.is_whole(made.id)


PUBLISH_FOR_EVER = """
import sys, itertools
from pathlib import Path
from app.artifacts.store.store import ArtifactStore
from tests.small_artifacts import draw, proof
folder, start = Path(sys.argv[1]), int(sys.argv[2])
store = ArtifactStore(folder / "artifacts")
picture = draw("ball", "red", 64)
for number in itertools.count(start):
    made = store.publish(proof(folder, f"ball {number}", picture, run=f"r-{number:016x}", views=2))
    print(made.id, flush=True)
"""


@pytest.mark.slow
def test_killing_it_in_the_middle_of_publishing_loses_nothing(tmp_path: Path) -> None:
    announced: set[str] = set()
    for kill in range(6):
        command = [sys.executable, "-c", PUBLISH_FOR_EVER, str(tmp_path), str(1000 * kill)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
        assert process.stdout is not None
        announced.add(process.stdout.readline().strip())
        time.sleep(0.011 * kill)
        os.kill(process.pid, signal.SIGKILL)
        announced |= {line.strip() for line in process.stdout if len(line) == len("a-0123456789abcdef\n")}
        process.wait()
        process.stdout.close()
    list(repair.examine(tmp_path / "artifacts", tmp_path / "gallery", repair=True, alone=True))
    store = ArtifactStore(tmp_path / "artifacts")
    assert announced <= store.ids()
    assert all(store.is_whole(one) for one in store.ids())
    assert not (tmp_path / "damaged").exists()
    assert [path.name for path in store.folder.rglob("*") if path.name.startswith(".")] == []


def test_pictures_of_failed_runs_are_kept_as_long_as_the_runs(tmp_path: Path) -> None:
    pictures = RunPictures(tmp_path / "unproven", tmp_path / "matrix")
    run, gone = "r-0000000000000001", "r-0000000000000002"
    for number, color in ((1, "red"), (2, "blue"), (10, "green")):
        out = tmp_path / "work" / f"attempt-{number}"
        out.mkdir(parents=True)
        if number < 10:
            draw("ball", color).save(out / "front.png")
    for one in (run, gone):
        pictures.keep_unproven(one, tmp_path / "work")
    with Image.open(pictures.unproven(run)) as picture:
        assert picture.tobytes() == draw("ball", "blue").tobytes()
    pictures.forget(pictures.ids() - {run})
    assert (pictures.has_unproven(run), pictures.has_unproven(gone)) == (True, False)
    pictures.keep_unproven("r-0000000000000003", tmp_path / "nowhere")
    assert not pictures.has_unproven("r-0000000000000003")

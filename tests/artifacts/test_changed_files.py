"""Files of artifacts that were changed on disk: none is served, searched, exported, replayed or shown as it is."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.artifacts import repair
from app.artifacts.search.index import Filters
from app.artifacts.search.text import words_to_embed
from app.artifacts.store import archive
from app.artifacts.store.artifact import Quotation, imported_id
from app.artifacts.store.embeddings import read_small, read_vector
from app.artifacts.store.store import ArtifactStore, Proof, sighting_of
from app.errors import ArtifactDamaged
from app.pipeline.replaying import replay
from app.settings import Settings
from app.verdict.rules import load_rules
from harness.blenders import Blender
from harness.engines.local import LocalEngine
from harness.order import Order
from harness.readers import Readers
from harness.sandbox.ladder import strongest
from tests.fixtures import serving, tools_of
from tests.small_artifacts import draw, open_gallery, proof, publish
from tests.small_index import use_embedder

Change = Callable[[Path], object]


def ball(folder: Path, **more: Any) -> Proof:
    order = Order("import bpy\n", files=(("a.txt", b"1"),), setup_snippet="import bpy\n")
    return proof(folder, "add a ball", draw("ball", "red"), snippet=order.snippet, order=order, views=2, **more)


def put(name: str, content: bytes) -> Change:
    def change(folder: Path) -> None:
        assert (folder / name).read_bytes() != content
        (folder / name).write_bytes(content)

    return change


def other_picture(name: str) -> Change:
    out = io.BytesIO()
    draw("bars", "blue").save(out, "PNG")
    return put(name, out.getvalue())


def edit(name: str, old: str, new: str) -> Change:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))

    return change


CHANGES: dict[str, tuple[Change, str]] = {
    "the snippet": (put("snippet.py", b"import os\n"), "snippet.py"),
    "the picture": (other_picture("picture.png"), "picture.png"),
    "another view": (other_picture("views/front.png"), "views/front.png"),
    "the contact sheet": (other_picture("contact-sheet.png"), "contact-sheet.png"),
    "the report": (edit("report.json", '"vertices": 8', '"vertices": 9'), "report.json"),
    "the author": (edit("receipt.json", '"commands"', '"model"'), "receipt.json"),
    "the title": (edit("artifact.json", '"add a ball"', '"Free money"'), "artifact.json"),
    "a tag": (edit("artifact.json", '"metallic"', '"diamond"'), "artifact.json"),
    "a hash": (edit("artifact.json", '"picture.png": "', '"picture.png": "0'), "artifact.json"),
    "an input": (put("inputs/files/a.txt", b"2"), "inputs/files/a.txt"),
    "the setup": (put("inputs/setup.py", b"import os\n"), "inputs/setup.py"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_changed_file_is_found_and_neither_exported_nor_kept_by_a_new_proof(case: str, tmp_path: Path) -> None:
    change, name = CHANGES[case]
    store = ArtifactStore(tmp_path / "artifacts")
    made, twin = store.publish(ball(tmp_path)), store.publish(proof(tmp_path, "a box", draw("bars", "red")))
    assert made and twin and store.damage(made.id) is None
    change(store.folder / made.id)
    assert name in (store.damage(made.id) or "")
    packed = b"".join(archive.export(store, sorted(store.ids())))
    with tarfile.open(fileobj=io.BytesIO(packed)) as whole:
        assert {member.name.partition("/")[0] for member in whole} == {twin.id}
    found = list(repair.examine(store.folder, tmp_path / "gallery", repair=False, alone=False))
    assert [one.where for one in found] == [made.id]
    again = store.publish(ball(tmp_path, run="r-2"))
    assert again and again.id == made.id and store.damage(made.id) is None
    assert store.content(made.id, "snippet.py") == b"import bpy\n"


@pytest.mark.parametrize("case", ["the snippet", "the picture", "the report", "an input", "the setup", "the author"])
async def test_what_was_changed_is_not_replayed(case: str, tmp_path: Path, blender: Blender, readers: Readers) -> None:
    change, _ = CHANGES[case]
    store = ArtifactStore(tmp_path / "artifacts")
    made = store.publish(ball(tmp_path))
    assert made
    change(store.folder / made.id)
    engine = LocalEngine(strongest(), None, tmp_path / "executions")
    with pytest.raises(ArtifactDamaged):
        await replay(store, made.id, blender, engine, load_rules(), readers)


async def test_over_http_a_changed_file_is_an_error_that_names_it(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_embedder(monkeypatch)
    async with serving(settings) as client:
        gallery = tools_of(client).gallery
        (made,) = await asyncio.to_thread(publish, gallery, ball(tmp_path))
        folder = gallery.store.folder / made
        shutil.copytree(folder, tmp_path / "before")
        for change, path in (
            ("the picture", ".png"), ("the snippet", "/snippet.py"), ("the report", "/report.json"),
            ("another view", "/views/front.png"), ("the contact sheet", "/contact-sheet.png"),
            ("the author", "/receipt.json"), ("the title", ""),
        ):  # fmt: skip
            whole = await client.get(f"/artifacts/{made}{path}")
            CHANGES[change][0](folder)
            said = await client.get(f"/artifacts/{made}{path}")
            page = await client.get(f"/page/artifacts/{made}")
            assert whole.status_code == 200
            assert (said.status_code, said.json()["code"]) == (410, "artifact_damaged"), change
            assert CHANGES[change][1] in said.json()["message"]
            assert f"{CHANGES[change][1]} is not what was published" in page.text, change
            assert "Free money" not in page.text
            shutil.rmtree(folder)
            shutil.copytree(tmp_path / "before", folder)


def test_a_changed_vector_or_small_picture_is_made_again(tmp_path: Path) -> None:
    gallery = open_gallery(tmp_path)
    one, other = publish(gallery, ball(tmp_path), proof(tmp_path, "knit a sweater", draw("bars", "blue")))
    folder, models = gallery.store.folder, gallery._upkeep.index.models  # pyright: ignore[reportPrivateUsage]
    assert models is not None
    picture = gallery.store.read(one).sha256["picture.png"]
    title = words_to_embed(gallery.store.read(one))
    assert read_vector(folder / one, "text", models.text, title) is not None
    small = read_small(folder / one, picture)
    for name in ("text.npz", "small.rgb"):
        shutil.copyfile(folder / other / "embeddings" / name, folder / one / "embeddings" / name)
    assert read_vector(folder / one, "text", models.text, title) is None
    assert read_small(folder / one, picture) == small
    gallery.index_soon([one])
    gallery.settled()
    assert gallery.search_words("sweater", Filters(), 5).hits[0].artifact.id == other
    vector = read_vector(folder / one, "text", models.text, title)
    gallery.close()
    assert vector is not None and np.isfinite(vector).all()
    (folder / one / "embeddings" / "small.rgb").write_bytes(b"")
    found = [damage.where for damage in repair.examine(folder, tmp_path / "gallery", repair=True, alone=True)]
    assert found == [f"{one}/small.rgb"]


def test_a_changed_sighting_is_not_shown(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    made = store.publish(ball(tmp_path))
    assert made
    (seen,) = (store.folder / made.id / "seen").iterdir()
    edit(seen.name, '"add a ball"', '"Free money"')(seen.parent)
    assert store.sightings(made.id) == []
    found = list(repair.examine(store.folder, tmp_path / "gallery", repair=False, alone=False))
    assert [one.where for one in found] == [f"{made.id}/seen/{seen.name}"]


def without_seal(file: Path) -> None:
    facts = json.loads(file.read_bytes())
    assert facts.pop("seal")
    file.write_text(json.dumps(facts))


def test_artifacts_of_an_older_version_are_read_and_their_imports_set_apart(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    own, brought = store.publish(ball(tmp_path)), store.publish(proof(tmp_path, "a box", draw("bars", "red")))
    assert own and brought
    seen = sighting_of("import", brought).model_copy(update={"at": "2026-01-01T00:00:00.000+00:00"})
    store.see(brought.id, seen)
    for file in [*store.folder.rglob("artifact.json"), *store.folder.rglob("seen/*.json")]:
        without_seal(file)
    store = ArtifactStore(store.folder)
    assert store.ids() == {own.id, imported_id(brought.id)}
    assert (store.read(own.id).proven, store.read(imported_id(brought.id)).proven) == ("here", "elsewhere")
    assert all(store.damage(one) is None for one in store.ids())
    without_seal(store.folder / imported_id(brought.id) / "artifact.json")
    edit("artifact.json", '"a box"', '"Free money"')(store.folder / imported_id(brought.id))
    assert "artifact.json" in (store.damage(imported_id(brought.id)) or "")


@pytest.mark.parametrize("withheld", [True, False])
def test_what_a_benchmark_asks_is_withheld_under_the_words_of_an_import_too(withheld: bool, tmp_path: Path) -> None:
    said = "add a golden ball" if withheld else "knit a sweater"
    words = Quotation(
        artifact="i-0123456789abcdef", run="r-1", title=said, request=said, author="model", model="m",
        created_at="2026-01-01T00:00:00.000+00:00",
    )  # fmt: skip
    gallery = open_gallery(tmp_path, withheld=("add a golden ball",))
    made = proof(tmp_path, None, draw("ball", "gold"), snippet="# a ball that is golden\nimport bpy\n")
    publish(gallery, dataclasses.replace(made, origin="replay", quoted=words))
    found = gallery.exemplars("a ball that is golden", None, 3)
    gallery.close()
    assert (found == []) is withheld

"""The scene of an artifact: kept if a run asks for it, beside the files of record."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from app.artifacts import repair
from app.artifacts.store import archive, scenes
from app.artifacts.store.store import ArtifactStore
from app.errors import ArtifactDamaged, SceneNotKept
from harness import folders
from harness.engines.local import made
from harness.folders import Folders
from harness.order import MODEL, SCENE, Order
from harness.protocol import AFTER
from tests.small_artifacts import asked_to_keep


def test_a_scene_is_kept_if_it_is_asked_for(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    plain = store.publish(asked_to_keep(tmp_path, b"BLENDER", keep=False))
    assert plain and store.details(plain.id).scene is None
    with pytest.raises(SceneNotKept):
        store.scene(plain.id)
    kept = store.publish(asked_to_keep(tmp_path, b"BLENDER"))
    assert kept and kept.id == plain.id, "what is kept of it does not make it another artifact"
    assert store.details(kept.id).scene == f"/artifacts/{kept.id}.blend"
    assert store.scene(kept.id) == b"BLENDER"
    store.publish(asked_to_keep(tmp_path, b"another save of the same"))
    assert store.scene(kept.id) == b"BLENDER"
    assert not any("blend" in name for name in store.contents(kept.id))


def test_a_scene_that_was_changed_is_noticed_and_removed_or_replaced(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    made = store.publish(asked_to_keep(tmp_path, b"BLENDER"))
    assert made
    folder = store.folder / made.id
    assert list(repair.examine_artifact(folder, store)) == []
    found = scenes.find(folder)
    assert found
    found.write_bytes(b"BLENDES")
    with pytest.raises(ArtifactDamaged):
        store.scene(made.id)
    store.publish(asked_to_keep(tmp_path, b"BLENDER"))
    assert store.scene(made.id) == b"BLENDER"
    found.write_bytes(b"BLENDES")
    assert [damage.repaired for damage in repair.examine_artifact(folder, store)] == ["removed"]
    with pytest.raises(SceneNotKept):
        store.scene(made.id)


def test_the_scene_as_gltf_is_kept_beside_it_and_apart(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    proof = asked_to_keep(tmp_path, b"BLENDER")
    made = store.publish(proof)
    assert made and store.details(made.id).glb is None
    with pytest.raises(SceneNotKept, match=r"as \.glb"):
        store.scene(made.id, "glb")
    (proof.pictures / MODEL).write_bytes(b"glTF")
    assert store.keep_scene(made.id, proof.pictures) and not store.keep_scene(made.id, proof.pictures)
    assert store.details(made.id).glb == f"/artifacts/{made.id}.glb"
    assert (store.scene(made.id), store.scene(made.id, "glb")) == (b"BLENDER", b"glTF")


def test_an_archive_leaves_it_out(tmp_path: Path) -> None:
    store = ArtifactStore(tmp_path / "artifacts")
    made = store.publish(asked_to_keep(tmp_path, b"BLENDER"))
    assert made
    packed = b"".join(archive.export(store, [made.id]))
    other = ArtifactStore(tmp_path / "other")
    assert b"BLENDER" not in packed and archive.import_archive(other, io.BytesIO(packed))[0]


def test_a_scene_leaves_its_execution_only_if_it_is_wanted_and_not_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Folders.make(tmp_path)
    assert made(place, Order("", keep_scene=True)) == {}
    (place.kept / AFTER).write_bytes(b"BLENDER")
    assert made(place, Order("", keep_scene=True)) == {SCENE: b"BLENDER"}
    assert made(place, Order("")) == {}
    (place.kept / MODEL).write_bytes(b"glTF")
    assert made(place, Order("", keep_scene=True)) == {SCENE: b"BLENDER", MODEL: b"glTF"}
    (place.kept / MODEL).unlink()
    monkeypatch.setattr(folders, "SCENE_LIMIT_BYTES", 6)
    assert made(place, Order("", keep_scene=True)) == {}

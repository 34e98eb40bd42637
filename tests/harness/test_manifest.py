"""The manifest: what a Blender says of its own API, asked once and kept."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any

import pytest

from harness import dump
from harness.blenders import Blender, BlenderNotAvailable
from harness.dump import dump_manifest, manifest_file
from harness.protocol import MANIFEST_SCHEMA
from ingest.manifest import (
    Manifest,
    ManifestUnreadable,
    NodeType,
    Property,
    RnaFunction,
    manifest_of,
    read_manifest,
)

SMALLEST: dict[str, Any] = {
    "schema": MANIFEST_SCHEMA,
    "version": "9.1.0",
    "build_hash": "abc",
    "templates": "",
    "types": {},
    "operators": {},
    "nodes": {},
    "identifiers": {},
    "context": {},
    "modules": {},
}


def blender_that(folder: Path, script: str, build_hash: str = "abc") -> Blender:
    """An executable that does in place of Blender what the script says; the job is its last argument."""
    path = folder / "blender"
    path.write_text(f"#!/bin/sh\necho started >> {folder}/starts\nfor job; do :; done\n{script}\n")
    path.chmod(0o755)
    return Blender("executable", path, "9.1.0", build_hash, "3.11.0")


def starts(folder: Path) -> int:
    """How often that Blender was started."""
    return len((folder / "starts").read_text().splitlines())


def writes(folder: Path, manifest: dict[str, Any]) -> str:
    """What such an executable does to dump this manifest."""
    kept = folder / "manifest-to-write.json"
    kept.write_text(json.dumps(manifest))
    where = """sed 's/.*"out_file": *"\\([^"]*\\)".*/\\1/' "$job\""""
    return f'cp {kept} "$({where})"'


def found(manifest: Manifest, type_name: str, member: str) -> Property:
    declared = manifest.find(type_name, member)
    assert declared is not None and isinstance(declared[1], Property)
    return declared[1]


# Kept by build hash


def test_a_blender_is_asked_once(tmp_path: Path) -> None:
    blender = blender_that(tmp_path, writes(tmp_path, SMALLEST))
    assert manifest_of(tmp_path, blender).version == "9.1.0"
    assert manifest_of(tmp_path, blender) == manifest_of(tmp_path, blender)
    assert starts(tmp_path) == 1
    other = dataclasses.replace(blender, build_hash="def")
    manifest_of(tmp_path, other)
    assert starts(tmp_path) == 2
    assert len(list((tmp_path / "manifests").iterdir())) == 2


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '{"schema": 0}', f'{{"schema": {MANIFEST_SCHEMA}}}', "\ufffd", json.dumps(SMALLEST)[:-20]],
)
def test_a_damaged_manifest_is_dumped_again(tmp_path: Path, content: str) -> None:
    blender = blender_that(tmp_path, writes(tmp_path, SMALLEST))
    file = dump_manifest(tmp_path, blender)
    file.write_text(content)
    with pytest.raises(ManifestUnreadable, match=r"Remove it and run `blendproof ingest blender`"):
        read_manifest(file)
    assert manifest_of(tmp_path, blender).version == "9.1.0"
    assert starts(tmp_path) == 2


@pytest.mark.parametrize("build_hash", ["unknown", "Unknown", ""])
def test_a_build_without_a_hash_is_known_by_its_file(tmp_path: Path, build_hash: str) -> None:
    blender = blender_that(tmp_path, writes(tmp_path, SMALLEST), build_hash)
    before = manifest_file(tmp_path, blender)
    assert before == manifest_file(tmp_path, blender)
    assert f"unknown-{int(blender.path.stat().st_mtime)}" in before.name
    os.utime(blender.path, (1, 1))
    assert manifest_file(tmp_path, blender) != before


# A Blender that fails


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("echo no such luck >&2; exit 1", "did not dump its API. It said: no such luck."),
        ("exit 0", "did not dump its API"),
        ("kill -SEGV $$", "did not dump its API"),
        ("echo x: cannot open shared object file >&2; exit 127", "apt-get install libx11-6"),
    ],
)
def test_a_blender_that_fails_is_named_and_leaves_nothing(tmp_path: Path, script: str, said: str) -> None:
    blender = blender_that(tmp_path, script)
    with pytest.raises(BlenderNotAvailable, match=r"Blender 9\.1\.0") as failed:
        manifest_of(tmp_path, blender)
    assert said in str(failed.value)
    assert list((tmp_path / "manifests").iterdir()) == []


def test_a_blender_that_is_gone_or_hangs_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = Blender("executable", tmp_path / "none", "9.1.0", "abc", "3.11.0")
    with pytest.raises(BlenderNotAvailable, match="did not dump its API"):
        manifest_of(tmp_path, gone)
    monkeypatch.setattr(dump, "DUMP_TIMEOUT_S", 0.1)
    with pytest.raises(BlenderNotAvailable, match="timed out"):
        manifest_of(tmp_path, blender_that(tmp_path, "exec sleep 30"))
    assert list((tmp_path / "manifests").iterdir()) == []


def test_a_blender_that_dumps_nonsense_is_named(tmp_path: Path) -> None:
    blender = blender_that(tmp_path, writes(tmp_path, {**SMALLEST, "types": []}))
    with pytest.raises(BlenderNotAvailable, match="dumped an unreadable manifest"):
        manifest_of(tmp_path, blender)


def test_a_manifest_that_cannot_be_kept_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    blender = blender_that(tmp_path, writes(tmp_path, SMALLEST))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        with pytest.raises(BlenderNotAvailable, match=r"cannot be kept in .*No space left"):
            manifest_of(tmp_path, blender)
    assert list((tmp_path / "manifests").iterdir()) == []
    assert manifest_of(tmp_path, blender).version == "9.1.0"


# What real Blenders say


@pytest.fixture(scope="module", params=["wheel", "executable"])
def dumped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    """A manifest that was dumped just now, from the wheel and from Debian's executable."""
    blender: Blender = request.getfixturevalue("blender" if request.param == "wheel" else "executable")
    home = tmp_path_factory.mktemp(request.param)
    manifest = manifest_of(home, blender)
    assert manifest.version == blender.version
    assert [file.name for file in (home / "manifests").iterdir()] == [manifest_file(home, blender).name]
    return manifest


@pytest.mark.blender
def test_types_have_bases_and_properties(dumped: Manifest) -> None:
    assert len(dumped.types) > 800
    assert [one.name for one in dumped.lineage("SubsurfModifier")] == ["SubsurfModifier", "Modifier", "bpy_struct"]
    assert dumped.is_a("PointLight", "ID") and not dumped.is_a("ID", "PointLight")
    levels = found(dumped, "SubsurfModifier", "levels")
    assert (levels.type, levels.min, levels.max, levels.default, levels.readonly) == ("INT", 0, 11, 1, False)
    location = found(dumped, "Object", "location")
    assert (location.array, location.subtype, location.default) == ((3,), "TRANSLATION", [0.0, 0.0, 0.0])
    assert found(dumped, "Object", "matrix_world").array == (4, 4)
    assert found(dumped, "Object", "type").readonly
    assert found(dumped, "Object", "modifiers").collection == "ObjectModifiers"
    assert found(dumped, "Object", "parent").of == "Object"
    items = {item.identifier: item for item in found(dumped, "SubsurfModifier", "subdivision_type").items}
    assert items.keys() == {"CATMULL_CLARK", "SIMPLE"} and items["CATMULL_CLARK"].name == "Catmull-Clark"
    assert any(item.description for item in found(dumped, "Object", "rotation_mode").items)
    assert found(dumped, "Object", "delta_scale").default == [1.0, 1.0, 1.0]


@pytest.mark.blender
def test_functions_and_operators_have_their_arguments(dumped: Manifest) -> None:
    new = dumped.types["ObjectModifiers"].functions["new"]
    assert [argument.name for argument in new.arguments if argument.required] == ["name", "type"]
    assert "SUBSURF" in {item.identifier for item in new.parameters["type"].items}
    assert [result.of for result in new.results] == ["Modifier"]
    assert {"new", "remove"} <= dumped.types["BlendDataMeshes"].functions.keys()
    declared = dumped.find("Mesh", "keyframe_insert")
    assert declared is not None and declared[0].name == "bpy_struct"
    assert not isinstance(dumped.find("Object", "select_set"), RnaFunction) and dumped.find("Object", "select_set")
    add = dumped.operators["mesh.primitive_uv_sphere_add"]
    assert {"segments", "ring_count", "radius", "location"} <= add.arguments.keys()
    assert (add.arguments["segments"].default, add.arguments["segments"].min) == (32, 3)
    assert {item.identifier for item in add.arguments["align"].items} == {"WORLD", "VIEW", "CURSOR"}
    assert add.arguments["location"].array == (3,)


@pytest.mark.blender
def test_nodes_have_their_sockets(dumped: Manifest) -> None:
    principled: NodeType = dumped.nodes["ShaderNodeBsdfPrincipled"]
    assert principled.trees == ("ShaderNodeTree",) and not principled.varies
    inputs = {socket.name: socket for socket in principled.inputs}
    # The socket was called "Emission" before 4.0.
    emission = "Emission" if dumped.version.startswith("3.") else "Emission Color"
    assert {"Base Color", "Roughness", "Metallic", emission, "Emission Strength"} <= inputs.keys()
    assert (inputs["Roughness"].identifier, inputs["Roughness"].type) == ("Roughness", "NodeSocketFloatFactor")
    assert inputs["Roughness"].default == pytest.approx(0.5)  # pyright: ignore[reportUnknownMemberType]
    assert len(inputs["Base Color"].default) == 4
    assert [socket.name for socket in principled.outputs] == ["BSDF"]
    math = {socket.identifier: socket for socket in dumped.nodes["ShaderNodeMath"].inputs}
    assert list(math)[:2] == ["Value", "Value_001"]
    assert any(socket.in_some_modes or not socket.enabled for socket in math.values())
    assert "GeometryNodeTree" in dumped.nodes["GeometryNodeMeshCube"].trees
    assert "ShaderNode" not in dumped.nodes


@pytest.mark.blender
def test_identifiers_say_what_they_make(dumped: Manifest) -> None:
    families = dumped.identifiers
    assert families["modifiers"]["SUBSURF"].type == "SubsurfModifier"
    assert families["modifiers"]["SUBSURF"].label == "Subdivision Surface"
    assert families["modifiers"]["ARMATURE"].type == "ArmatureModifier"
    assert families["constraints"]["TRACK_TO"].type == "TrackToConstraint"
    assert families["lights"]["SUN"].type == "SunLight"
    assert families["textures"]["CLOUDS"].type == "CloudsTexture"
    assert {"WIND", "TURBULENCE"} <= families["force_fields"].keys()
    assert {"CYCLES", "BLENDER_WORKBENCH"} <= families["engines"].keys()
    engines = {item.identifier for item in found(dumped, "RenderSettings", "engine").items}
    assert engines == families["engines"].keys() and not found(dumped, "RenderSettings", "engine").open
    missing = [
        name for family in families.values() for name, one in family.items() if one.type not in {"", *dumped.types}
    ]
    assert missing == []


@pytest.mark.blender
def test_modules_bring_their_docstrings(dumped: Manifest) -> None:
    modules = dumped.modules
    assert {
        "bmesh",
        "bmesh.ops",
        "bmesh.types",
        "mathutils",
        "gpu",
        "gpu.types",
        "bpy_extras.io_utils",
    } <= modules.keys()
    assert "angle" in modules["mathutils"].members["Vector"].members
    assert "Quaternion" in modules["mathutils"].members["Vector"].members["to_track_quat"].doc
    assert "new" in modules["bmesh"].members
    assert "bevel" in modules["bmesh.ops"].members
    assert "faces" in modules["bmesh.types"].members["BMesh"].members
    assert modules["bpy_extras.object_utils"].members["object_data_add"].signature.startswith("(context, obdata")
    assert not any(
        "/" in member.name or member.name.startswith("_") for one in modules.values() for member in one.members.values()
    )
    assert "selected_objects" in dumped.context
    assert Path(dumped.templates).name == "templates_py" and Path(dumped.templates).is_dir()

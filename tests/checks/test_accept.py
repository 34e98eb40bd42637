"""Acceptance checks in real Blender: each kind with a check that is met and a near twin that is not."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from app.checks.accept import CHECK
from app.runs.request import GenerateRequest, ValidateRequest
from harness.blenders import Blender
from harness.execution import execute
from harness.order import Order

SCENE = """
import bpy

cube = bpy.data.objects["Cube"]
cube.location = (0, 0, 1)
cube.rotation_euler = (0, 0, 3.14159265 / 2)
bevel = cube.modifiers.new("Edges", "BEVEL")
bevel.width = 0.05
bevel.segments = 3
cube.modifiers.new("Smooth", "SUBSURF").levels = 2
red = bpy.data.materials.new("Red")
red.use_nodes = True
red.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (1, 0, 0, 1)
cube.data.materials.clear()
cube.data.materials.append(red)
props = bpy.data.collections.new("Props")
bpy.context.scene.collection.children.link(props)
child = bpy.data.objects.new("Child", None)
child.parent = cube
props.objects.link(child)
for frame, x in ((1, 0), (40, 3)):
    child.location.x = x
    child.keyframe_insert("location", frame=frame)
bpy.context.scene.frame_end = 40
"""

MET_AND_NOT: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"check": "object", "name": "Cube"}, {"check": "object", "name": "cube"}, 'there is no object "cube"'),
    (
        {"check": "object", "name": "Cube", "type": "MESH"},
        {"check": "object", "name": "Cube", "type": "CURVE"},
        "type is MESH, not CURVE",
    ),
    (
        {"check": "object", "name": "Cube", "location": [0, 0, 1.0005]},
        {"check": "object", "name": "Cube", "location": [0, 0, 1.01]},
        "location is (0, 0, 1)",
    ),
    (
        {"check": "object", "name": "Cube", "rotation": [0, 0, math.pi / 2 - 2 * math.pi]},
        {"check": "object", "name": "Cube", "rotation": [0, 0, -math.pi / 2]},
        "rotation is",
    ),
    (
        {"check": "object", "type": "MESH", "dimensions": [1.86, 1.86, 1.86], "tolerance": 0.2},
        {"check": "object", "type": "MESH", "dimensions": [1.5, 1.5, 1.5], "tolerance": 0.01},
        'object "Cube": its dimensions are',
    ),
    (
        {"check": "object", "name": "Cube", "modifiers": [{"type": "BEVEL", "values": {"width": 0.05, "segments": 3}}]},
        {"check": "object", "name": "Cube", "modifiers": [{"type": "BEVEL", "values": {"width": 0.05, "segments": 4}}]},
        "its BEVEL modifier: segments is 3, not 4",
    ),
    (
        # A value that is the default is no setting that was changed, and is looked at all the same.
        {"check": "object", "name": "Cube", "modifiers": [{"type": "SUBSURF", "values": {"render_levels": 2}}]},
        {"check": "object", "name": "Cube", "modifiers": [{"type": "SUBSURF", "values": {"render_levels": 3}}]},
        "render_levels is 2, not 3",
    ),
    (
        {"check": "object", "name": "Cube", "modifiers": [{"type": "BEVEL"}, {"type": "SUBSURF"}]},
        {"check": "object", "name": "Cube", "modifiers": [{"type": "SUBSURF"}, {"type": "BEVEL"}]},
        "it has no BEVEL modifier there",
    ),
    (
        {"check": "object", "name": "Cube", "materials": ["Red"], "smooth": False},
        {"check": "object", "name": "Cube", "materials": ["Red"], "smooth": True},
        "faces are smooth",
    ),
    (
        {"check": "object", "name": "Child", "parent": "Cube", "collection": "Props"},
        {"check": "object", "name": "Child", "parent": "Cube", "collection": "Collection"},
        "it is in Props, not in Collection",
    ),
    (
        {"check": "object", "type": "EMPTY", "keyframes": [{"path": "location", "frames": [1, 40]}]},
        {"check": "object", "type": "EMPTY", "keyframes": [{"path": "location", "frames": [1, 48]}]},
        "keyframes at (1, 40), not at (48)",
    ),
    (
        {"check": "object", "name": "Light", "values": {"data.energy": 1000}},
        {"check": "object", "name": "Light", "values": {"data.energi": 1000}},
        "it has no property data.energi",
    ),
    (
        {"check": "object", "name": "Cube", "values": {"modifiers[0].width": 0.05, "data.vertices[0].co": [1, 1, 1]}},
        {"check": "object", "name": "Cube", "values": {"modifiers[99].width": 0.05, "].[": 1, "data.vertices": 8}},
        'it has no property modifiers[99].width; object "Cube": it has no property ].[',
    ),
    (
        {"check": "count", "type": "MESH", "name": "Cu*", "at_least": 1, "at_most": 1},
        {"check": "count", "type": "MESH", "at_least": 2},
        "there is 1 MESH object, not at least 2",
    ),
    (
        {"check": "material", "on": "Cube", "inputs": {"Base Color": [1, 0, 0]}},
        {"check": "material", "on": "Cube", "inputs": {"Base Color": [0, 1, 0]}},
        'material "Red": its Base Color is (1, 0, 0, 1)',
    ),
    (
        {"check": "material", "name": "Red", "nodes": ["ShaderNodeBsdfPrincipled"]},
        {"check": "material", "name": "Red", "nodes": ["ShaderNodeTexNoise"]},
        "it has no node ShaderNodeTexNoise",
    ),
    (
        {"check": "collection", "name": "Props", "parent": "Scene Collection", "objects": ["Child"]},
        {"check": "collection", "name": "Props", "objects": ["Cube"]},
        'it has no object "Cube"',
    ),
    (
        {"check": "scene", "values": {"frame_end": 40, "camera": "Camera"}},
        {"check": "scene", "values": {"frame_end": 41}},
        "frame_end is 40, not 41",
    ),
    (
        {"check": "python", "says": "red", "code": "assert bpy.data.materials['Red'].users == 1"},
        {"check": "python", "says": "blue", "code": "assert 'Blue' in bpy.data.materials, 'no blue'"},
        "no blue",
    ),
]


@pytest.mark.blender
async def test_each_kind_of_check_is_met_and_its_near_twin_is_not(blender: Blender, tmp_path: Path) -> None:
    raw = [one for met, unmet, _ in MET_AND_NOT for one in (met, unmet)]
    checks = tuple(CHECK.validate_python(one).wanted() for one in raw)
    report = await execute(blender, Order(snippet=SCENE, accept=checks), tmp_path / "run")
    seen = report["evidence"]["accept"]
    assert [(one["met"], one["seen"]) for one in seen[::2]] == [(True, "")] * len(MET_AND_NOT)
    for found, (_, _, expected) in zip(seen[1::2], MET_AND_NOT, strict=True):
        assert not found["met"]
        assert expected in found["seen"]


@pytest.mark.blender
async def test_an_assertion_cannot_spoil_the_evidence(blender: Blender, tmp_path: Path) -> None:
    """It may empty the scene, write everywhere it can and end the process; what was seen before stays."""
    hostile = (
        "import os, pathlib\n"
        "for name in ('examine/out/evidence.json', 'kept/after.blend', 'examine/out/three_quarter.png'):\n"
        f"    path = pathlib.Path({str(tmp_path / 'run')!r}, name)\n"
        "    try:\n        path.write_text('forged')\n    except OSError:\n        pass\n"
        "bpy.ops.wm.read_factory_settings(use_empty=True)\n"
        "os._exit(0)\n"
    )
    checks = (
        {"check": "python", "says": "holds", "code": "assert len(bpy.data.objects) == 3"},
        {"check": "python", "says": "leaves", "code": hostile},
        {"check": "python", "says": "is late", "code": "pass"},
    )
    report = await execute(blender, Order(snippet="import bpy\n", accept=checks), tmp_path / "run")
    evidence = report["evidence"]
    assert [one["met"] for one in evidence["accept"]] == [True, False, False]
    assert "it ended its process" in evidence["accept"][1]["seen"]
    assert (report["outcome"], set(evidence["scene"]["objects"])) == ("passed", {"Cube", "Light", "Camera"})
    pictures = [tmp_path / "run" / "examine" / "out" / one["file"] for one in evidence["render"]["pictures"]]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)
    assert (tmp_path / "run" / "kept" / "after.blend").read_bytes() != b"forged"


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("which object", {"check": "object", "dimensions": [1, 1, 1]}),
    ("how many", {"check": "count", "type": "MESH"}),
    ("which material or what it has", {"check": "material"}),
    ("extra", {"check": "object", "name": "A", "dimension": [1, 1, 1]}),
    ("too_short", {"check": "object", "name": "A", "location": [1, 1]}),
    ("finite", {"check": "object", "name": "A", "location": [1, 1, math.nan]}),
    ("does not match any", {"check": "objects", "name": "A"}),
]


@pytest.mark.parametrize(("why", "check"), REFUSED, ids=[why for why, _ in REFUSED])
def test_a_check_that_says_nothing_or_something_unknown_is_refused(why: str, check: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        GenerateRequest.model_validate({"request": "x", "accept": [check]})
    assert why in str(caught.value)


def test_few_assertions_and_few_checks() -> None:
    one = {"check": "python", "says": "x", "code": "pass"}
    count = {"check": "count", "at_least": 0}
    assert len(ValidateRequest.model_validate({"snippet": "x", "accept": [one] * 10 + [count] * 30}).accept) == 40
    for wrong in ([one] * 11, [count] * 41):
        with pytest.raises(ValidationError):
            ValidateRequest.model_validate({"snippet": "x", "accept": wrong})

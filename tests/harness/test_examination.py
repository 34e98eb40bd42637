"""The examination of odd scenes: nothing that a scene may hold ends it, and what is unsound or unseen is told."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from app.checks.execution import judge_scene
from app.verdict.rules import load_rules
from harness import execution
from harness.blenders import Blender
from harness.launcher import ProcessEnd
from harness.order import Order
from harness.protocol import EventName, RenderSettings
from tests.harness.in_wheel import run_in_wheel
from tests.lending import Lending

SMALL = RenderSettings(size_px=64, samples=2)
RULES = load_rules()
BEGIN = """
import bpy
def place(name, data, x=0):
    thing = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(thing)
    thing.location.x = x
    return thing
def cube(name, x, size=1):
    bpy.ops.mesh.primitive_cube_add(size=size, location=(x, 0, 0))
    bpy.context.object.name = name
    return bpy.context.object
def clear(thing, name, value):
    material = bpy.data.materials.new("Clear")
    material.use_nodes = True
    inputs = material.node_tree.nodes["Principled BSDF"].inputs
    inputs[name if name in inputs else name + " Weight"].default_value = value
    thing.data.materials.append(material)
"""


EMPTY_DATA = """
for kind in ("CURVE", "SURFACE", "FONT"):
    place(kind, bpy.data.curves.new(kind, kind))
for group in ("meshes", "metaballs", "lattices", "armatures", "volumes", "pointclouds", "hair_curves", "speakers"):
    place(group, getattr(bpy.data, group).new(group))
volume = bpy.data.volumes.new("Gone")
volume.filepath = "//gone.vdb"
place("Gone", volume)
"""
LIBRARY = """
import os
path = os.path.join(os.getcwd(), "kept.blend")
mesh = bpy.data.meshes.new("Chair")
mesh.from_pydata([(0, 0, 0), (0, 1, 0), (0, 0, 1)], [], [(0, 1, 2)])
group = bpy.data.collections.new("Chairs")
group.objects.link(bpy.data.objects.new("Chair", mesh))
bpy.data.libraries.write(path, {group})
bpy.data.objects.remove(bpy.data.objects["Chair"])
bpy.data.collections.remove(group)
with bpy.data.libraries.load(path, link=True) as (_, into):
    into.collections = ["Chairs"]
group = into.collections[0]
bpy.context.scene.collection.children.link(group)
place("Chair", mesh)
"""
NUMBERS = """
box = bpy.data.objects["Cube"]
box.location.x = float("nan")
place("Vast", None).scale = (float("inf"), 1, 1)
box.driver_add("location", 1).driver.expression = "1 / 0"
picture = bpy.data.images.new("Gone", 4, 4)
picture.source = "FILE"
picture.filepath = "//gone.png"
material = box.data.materials[0]
material.use_nodes = True
material.node_tree.nodes.clear()
material.node_tree.nodes.new("ShaderNodeTexImage").image = picture
material.node_tree.nodes.new("ShaderNodeGroup")
"""


@pytest.mark.blender
@pytest.mark.parametrize(
    ("source", "names"),
    [
        (EMPTY_DATA, {"CURVE", "FONT", "meshes", "pointclouds", "hair_curves", "Gone"}),
        (LIBRARY, {"Chair"}),
        (LIBRARY + "group.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)\n", {"Chair"}),
        (LIBRARY + "os.remove(path)\n", {"Chair"}),
        (NUMBERS, {"Vast", "Cube"}),
    ],
    ids=["empty data", "linked", "overridden", "missing library", "odd numbers"],
)
async def test_whatever_a_scene_holds_is_described(
    source: str, names: set[str], blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    report = await lending.execute(blender, Order(BEGIN + source, render=SMALL), tmp_path / "job")
    assert report["outcome"] == "passed", report["reason"]
    scene = report["evidence"]["scene"]
    assert (names <= scene["objects"].keys(), scene["faults"]) == (True, [])


@pytest.mark.blender
async def test_the_box_of_a_curve_is_that_of_its_faces(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    source = """
wire = bpy.data.curves.new("Wire", "CURVE")
wire.dimensions, wire.bevel_depth = "3D", 0.25
line = wire.splines.new("POLY")
line.points.add(1)
line.points[1].co = (0, 0, 4, 1)
place("Wire", wire, 7)
group = bpy.data.collections.new("Group")
group.objects.link(bpy.data.objects.new("Source", wire))
shown = place("Shown", None, 20)
shown.instance_type, shown.instance_collection = "COLLECTION", group
"""
    report = await lending.execute(blender, Order(BEGIN + source, render=SMALL), tmp_path / "job")
    objects = report["evidence"]["scene"]["objects"]
    assert objects["Wire"]["bounds"] == {"min": [6.75, -0.25, 0.0], "max": [7.25, 0.25, 4.0]}
    assert objects["Wire"]["has_instances"] is False
    assert objects["Shown"]["bounds"] == {"min": [19.75, -0.25, 0.0], "max": [20.25, 0.25, 4.0]}
    assert objects["Shown"]["has_instances"] is True


@pytest.mark.blender
async def test_thousands_of_objects_are_described_in_time(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    source = "box = bpy.data.objects['Cube'].data\nfor n in range(2500):\n    place(f'Box {n}', box, n)\n"
    report = await lending.execute(blender, Order(BEGIN + source, render=SMALL), tmp_path / "job")
    assert report["outcome"] == "passed", report["reason"]
    scene = report["evidence"]["scene"]
    assert (len(scene["objects"]) + scene["objects_untold"], scene["objects_left_out"]) == (2503, 0)
    # All were examined; what is told of them is answered, written and kept several times.
    assert len(json.dumps(report)) < 1 << 20


CONTAIN = """
import sys
sys.path.insert(0, sys.argv[1])
import bpy
from harness.inside.scene import describe
bpy.ops.wm.read_factory_settings()
own = describe.describe_geometry
def fail(obj, *given):
    if obj.name == "Cube":
        raise KeyError("unforeseen")
    return own(obj, *given)
describe.describe_geometry = fail
told = describe.describe()
assert told["objects"]["Cube"]["location"] == [0, 0, 0], told
assert told["objects"]["Camera"]["camera"]["lens"] == 50, told
assert told["faults"] == [{"of": 'the geometry of object "Cube"', "fault": "KeyError: 'unforeseen'"}], told["faults"]
describe.describe_animation = describe.world_matrix = lambda *_: 1 / 0
assert len(describe.describe()["objects"]) == 3
"""


@pytest.mark.blender
def test_a_fault_in_one_object_does_not_void_the_others(blender: Blender, tmp_path: Path) -> None:
    run_in_wheel(blender, CONTAIN, tmp_path)


TRIANGLES = "mesh = bpy.data.meshes.new('Roof')\nplace('Roof', mesh, 3)\nspots = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"
BY_HAND = """
mesh.vertices.add(3)
mesh.loops.add(3)
mesh.polygons.add(1)
mesh.vertices.foreach_set("co", [value for spot in spots for value in spot])
mesh.polygons.foreach_set("loop_start", [0])
mesh.loops.foreach_set("vertex_index", [0, 1, 2])
"""


@pytest.mark.blender
@pytest.mark.parametrize(
    ("faces", "problem"),
    [
        ("mesh.from_pydata(spots, [], [(0, 1, 2), (0, 1, 60)])", "a face names vertex 60, and there are 3 vertices"),
        ("mesh.from_pydata(spots, [(0, 44)], [])", "an edge names vertex 44, and there are 3 vertices"),
        (BY_HAND, "a face names edge 0, and there are 0 edges"),
        ("mesh.from_pydata(spots, [], [(0, 1, 2)])", None),
        ("mesh.from_pydata(spots, [], [(0, 1, 2), (0, 1, 60)])\nmesh.validate()", None),
        (BY_HAND + "mesh.update(calc_edges=True)\n", None),
    ],
    ids=["index", "edge", "no edges", "sound", "validated", "by hand"],
)
async def test_an_unsound_mesh_fails_the_scene_and_crashes_nothing(
    faces: str, problem: str | None, blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    source = f"{BEGIN}{TRIANGLES}{faces}\nbpy.data.objects['Roof'].modifiers.new('Thick', 'SOLIDIFY')\n"
    report = await lending.execute(blender, Order(source, render=SMALL), tmp_path / "job")
    assert report["outcome"] == "passed", report["reason"]
    stage = judge_scene(report, "caller", RULES)
    said = [finding.message for finding in stage.findings if finding.code == "unsound-mesh"]
    assert said == ([f'mesh "Roof" is not valid: {problem}'] if problem else [])
    assert stage.state == ("failed" if problem else "passed")


UNSEEN = """
loose = bpy.data.objects.new("Loose", bpy.data.objects["Cube"].data.copy())
cube("Hidden", 20).hide_render = True
away = bpy.data.collections.new("Away")
bpy.context.scene.collection.children.link(away)
away.objects.link(bpy.data.objects.new("Excluded", bpy.data.objects["Cube"].data))
bpy.context.view_layer.layer_collection.children["Away"].exclude = True
nothing = cube("Nothing", 24)
nothing.scale = (0, 0, 0)
nothing.keyframe_insert("scale", frame=1)
clear(cube("Ghost", 26), "Alpha", 0.0)
cube("Kernel", 30, 0.4)
cube("Shell", 30, 2)
camera = bpy.data.objects["Camera"]
camera.location, camera.rotation_euler = (25, -30, 0), (1.5708, 0, 0)
bpy.ops.mesh.primitive_cone_add(location=(25, -60, 0))
bpy.context.object.name = "Behind"
"""
TWINS = """
body = cube("Body", 10, 3)
loose = bpy.data.objects.new("Cutter", bpy.data.objects["Cube"].data.copy())
body.modifiers.new("Cut", "BOOLEAN").object = loose
hidden = cube("Hidden cutter", 10)
hidden.hide_render = True
body.modifiers.new("Cut too", "BOOLEAN").object = hidden
late = cube("Late", 20)
for frame, off in ((1, True), (9, False)):
    late.hide_render = off
    late.keyframe_insert("hide_render", frame=frame)
grows = cube("Grows", 22)
for frame, scale in ((1, 0), (9, 1)):
    grows.scale = (scale, scale, scale)
    grows.keyframe_insert("scale", frame=frame)
away = bpy.data.collections.new("Away")
bpy.context.scene.collection.children.link(away)
away.objects.link(bpy.data.objects.new("Source", bpy.data.objects["Cube"].data))
bpy.context.view_layer.layer_collection.children["Away"].exclude = True
shown = place("Shown", None, 24)
shown.instance_type, shown.instance_collection = "COLLECTION", away
cube("Flat", 26).scale = (1, 1, 0)
cube("Pea", 30, 0.4)
clear(cube("Glass", 30, 2), "Transmission", 1.0)
bpy.ops.mesh.primitive_torus_add(location=(36, 0, 0), major_radius=2, minor_radius=0.3)
cube("In the hole", 36, 0.5)
bpy.ops.mesh.primitive_torus_add(location=(52, 0, 0), major_radius=2, minor_radius=0.3)
bpy.ops.mesh.primitive_cylinder_add(location=(52, 0, 0), radius=2, depth=0.05)
bpy.context.object.name = "Pane"
cube("Half out", 41, 1)
cube("Wall", 40, 2)
cube("Leaves", 44, 0.4).keyframe_insert("location", frame=1)
bpy.context.object.location.z = 9
bpy.context.object.keyframe_insert("location", frame=9)
cube("Left", 44, 2)
bpy.ops.mesh.primitive_uv_sphere_add(radius=300)
"""
REASONS = {
    "Loose": "not-linked",
    "Hidden": "hidden-from-render",
    "Excluded": "hidden-collection",
    "Nothing": "zero-scale",
    "Ghost": "transparent",
    "Kernel": "wholly-inside",
    "Behind": "outside-the-camera",
}


@pytest.mark.blender
@pytest.mark.parametrize(("source", "reasons"), [(UNSEEN, REASONS), (TWINS, {})], ids=["unseen", "twins"])
async def test_what_no_one_can_see_is_told(
    source: str, reasons: dict[str, str], blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    report = await lending.execute(blender, Order(BEGIN + source, render=SMALL), tmp_path / "job")
    assert report["outcome"] == "passed", report["reason"]
    stage = judge_scene(report, "caller", RULES)
    assert {finding.code for finding in stage.findings} == set(reasons.values())
    for name, code in reasons.items():
        assert [name in finding.message for finding in stage.findings if finding.code == code] == [True]


@pytest.mark.blender
async def test_what_is_never_linked_and_all_that_was_made_is_not_proven(
    blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    source = "import bpy\nbpy.data.objects.new('Mast', bpy.data.meshes.new('Mast'))\n"
    report = await lending.execute(blender, Order(source, render=SMALL), tmp_path / "job")
    stage = judge_scene(report, "caller", RULES)
    assert (stage.state, stage.findings[-1].code) == ("failed", "nothing-seen")


@pytest.mark.blender
@pytest.mark.parametrize(("faults", "outcome"), [(1, "passed"), (9, "harness_fault")])
async def test_a_fault_of_ours_is_met_by_one_more_examination(
    faults: int, outcome: str, blender: Blender, lending: Lending, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, tries = execution.examine_scene, list[str]()

    async def examine(*given: Any) -> ProcessEnd:
        end = await own(*given)
        tries.append("")
        if len(tries) > faults:
            return end
        told = {"event": EventName.NOT_EXAMINED, "message": "TypeError: of our own"}
        return dataclasses.replace(end, events=[*end.events[:-1], (1.0, told)])

    monkeypatch.setattr(execution, "examine_scene", examine)
    report = await lending.execute(blender, Order("import bpy\n", render=SMALL), tmp_path / "job")
    assert (report["outcome"], len(tries)) == (outcome, 2)
    assert report["evidence"]["examined_again"] == "TypeError: of our own"

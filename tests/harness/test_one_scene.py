"""What is described is what is pictured, and what of a scene is code is told and does not run in the witness."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.checks.execution import judge_scene
from app.checks.one_scene import CODE
from app.checks.render import judge_render
from app.verdict.rules import load_rules
from app.verdict.verdict import Stage
from harness.blenders import Blender, find_blenders, probe
from harness.order import Order
from harness.protocol import RenderSettings
from tests.fixtures import DEBIAN_BLENDER
from tests.lending import Lending

SMALL = RenderSettings(size_px=32, samples=1)
RULES = load_rules()
BEGIN = "import bpy\ncube = bpy.data.objects['Cube']\nscene = bpy.context.scene\n"


NODES = """
group = bpy.data.node_groups.new("Group", "GeometryNodeTree")
if hasattr(group, "interface"):
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
else:
    group.inputs.new("NodeSocketGeometry", "Geometry")
    group.outputs.new("NodeSocketGeometry", "Geometry")
def node(kind):
    return group.nodes.new(kind)
def link(source, target):
    group.links.new(source, target)
def use():
    cube.modifiers.new("Group", "NODES").node_group = group
into, out, ball = node("NodeGroupInput"), node("NodeGroupOutput"), node("GeometryNodeMeshUVSphere")
ball.inputs["Radius"].default_value = 3
"""
IS_VIEWPORT = (
    NODES
    + """
asks, switch = node("GeometryNodeIsViewport"), node("GeometryNodeSwitch")
switch.input_type = "GEOMETRY"
if "Switch_001" in [one.identifier for one in switch.inputs]:
    names = [one.name for one in switch.inputs if one.enabled]
link(asks.outputs[0], next(one for one in switch.inputs if one.name == "Switch" and one.enabled))
link(ball.outputs[0], next(one for one in switch.inputs if one.name == "False" and one.enabled))
link(into.outputs[0], next(one for one in switch.inputs if one.name == "True" and one.enabled))
link(next(one for one in switch.outputs if one.enabled), out.inputs[0])
use()
"""
)
ALWAYS = NODES + "link(ball.outputs[0], out.inputs[0])\nuse()\n"
ONLY_RENDERED = "cube.modifiers.new('Thick', 'ARRAY').show_viewport = False\n"
HIDDEN = "cube.hide_viewport = True\n"
LEVELS = "cube.modifiers.new('Smooth', 'SUBSURF').levels = 1\n"
COARSER = "smooth = cube.modifiers.new('Smooth', 'SUBSURF')\nsmooth.levels, smooth.render_levels = 3, 0\n"
BACKGROUND = """
other = bpy.data.scenes.new("Other")
monkey = bpy.data.objects.new("Monkey", cube.data)
other.collection.objects.link(monkey)
cube.scale = (0.5, 0.5, 0.5)
"""
COUNT_MESHES = {"check": "count", "type": "MESH", "at_most": 1}


def stage_of(report: dict[str, Any]) -> Stage:
    assert report["outcome"] == "passed", report["reason"]
    return judge_scene(report, "caller", RULES)


async def run(
    source: str, blender: Blender, lending: Lending, tmp_path: Path, *accept: dict[str, Any]
) -> dict[str, Any]:
    common: dict[str, Any] = {"tolerance": 0.01, "values": {}}
    checks = tuple({**common, **check} for check in accept)
    return await lending.execute(blender, Order(BEGIN + source, render=SMALL, accept=checks), tmp_path / "job")


@pytest.mark.blender
@pytest.mark.parametrize(
    ("source", "size", "said"),
    [
        (IS_VIEWPORT, [6, 6, 6], "is 2 x 2 x 2 m there and 6 x 6 x 6 m in renders"),
        (ONLY_RENDERED, [4, 2, 2], "is 2 x 2 x 2 m there and 4 x 2 x 2 m in renders"),
        (HIDDEN, [2, 2, 2], "is not shown there"),
        (ALWAYS, [6, 6, 6], None),
        (LEVELS, None, None),
        (COARSER, [2, 2, 2], "has 386 vertices there and 8 in renders"),
        ("cube.location.x = 1\n", [2, 2, 2], None),
    ],
    ids=["node that asks", "render-only modifier", "hidden", "no question", "levels", "coarser", "nothing"],
)
async def test_an_object_is_described_as_it_is_pictured(
    source: str, size: list[float] | None, said: str | None, blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    wanted = {"check": "object", "name": "Cube", **({"dimensions": size} if size else {"vertices": 98})}
    report = await run(source, blender, lending, tmp_path, wanted)
    told = [one.message for one in stage_of(report).findings if one.code == "viewport-differs"]
    assert said in told[0] if said else not told, told
    assert report["evidence"]["accept"][0] == {"met": True, "seen": "", "met_at_start": size == [2, 2, 2]}


@pytest.mark.blender
async def test_a_number_of_vertices_may_be_that_of_either_level(
    blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    checks = [{"check": "object", "name": "Cube", "vertices": number} for number in (26, 98, 99)]
    report = await run(LEVELS, blender, lending, tmp_path, *checks)
    assert [one["met"] for one in report["evidence"]["accept"]] == [True, True, False]


@pytest.mark.blender
@pytest.mark.parametrize(("last", "state"), [("scene.background_set = other", "failed"), ("", "passed")])
async def test_another_scene_is_not_in_the_background(
    last: str, state: str, blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    stage = stage_of(await run(BACKGROUND + last, blender, lending, tmp_path, COUNT_MESHES))
    assert (stage.state, [one.code for one in stage.findings]) == (state, ["background-scene"] if last else [])


@pytest.mark.blender
async def test_an_override_and_what_no_camera_sees_are_told(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    source = """
red = bpy.data.materials.new("Red")
bpy.context.view_layer.material_override = red
bpy.ops.mesh.primitive_cone_add(location=(4, 0, 0))
bpy.context.object.visible_camera = False
"""
    stage = stage_of(await run(source, blender, lending, tmp_path))
    assert [one.code for one in stage.findings] == ["hidden-from-camera", "overridden"]


SCRIPTS = """
text = bpy.data.texts.new("start.py")
text.write("import os")
text.use_module = True
later = bpy.data.texts.new("later.py")
later.write("import bpy\\nbpy.app.handlers.load_post.append(print)")
curve = cube.driver_add("location", 0)
curve.driver.expression = "__import__('os').getpid()"
tree = cube.data.materials[0].node_tree
tree.nodes.new("ShaderNodeScript").filepath = "//paint.osl"
scene.render.use_freestyle = True
style = bpy.context.view_layer.freestyle_settings
style.mode = "SCRIPT"
style.modules.new().script = text
"""
CAMERA = """
camera = bpy.data.objects["Camera"].data
camera.type = "CUSTOM"
camera.custom_shader = text
"""
NO_RAYS = """
text = bpy.data.texts.new("rays.osl")
text.write("shader rays(output point position = 0, output vector direction = 0, output color throughput = 0) {}")
cube.scale = (2, 2, 2)
"""
DATA = """
bpy.data.texts.new("notes.txt").write("do not forget the handlers")
curve = cube.driver_add("location", 0)
curve.driver.expression = "frame / 24 + 1"
tree = cube.data.materials[0].node_tree
tree.nodes.new("NodeFrame").text = bpy.data.texts["notes.txt"]
scene.render.use_freestyle = True
"""
LEFT = {"registered-text", "text-with-handlers", "python-driver", "script-node", "line-style-script"}


@pytest.mark.blender
async def test_code_that_is_left_in_a_scene_is_told(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    has_camera = blender.version >= "4.5"
    report = await run(SCRIPTS + (CAMERA if has_camera else ""), blender, lending, tmp_path)
    stage = stage_of(report)
    left = LEFT | {"script-camera"} if has_camera else LEFT
    assert {one.code for one in stage.findings} & CODE.keys() == left
    assert stage.state == "warned"
    ours = judge_scene(report, "commands", RULES)
    assert {one.code for one in ours.findings if one.severity == "error"} == left


@pytest.mark.blender
async def test_what_looks_like_code_and_is_none_is_not_told(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    assert not {one.code for one in stage_of(await run(DATA, blender, lending, tmp_path)).findings} & CODE.keys()


@pytest.mark.blender
async def test_code_that_was_there_before_is_not_told_again(blender: Blender, lending: Lending, tmp_path: Path) -> None:
    order = Order(BEGIN + "cube.location.x = 2\n", setup_snippet=BEGIN + SCRIPTS, render=SMALL)
    report = await lending.execute(blender, order, tmp_path / "job")
    assert report["evidence"]["scene"]["code"] == []


LATER = """
camera.keyframe_insert("type", frame=1)
camera.type = "PERSP"
"""


@pytest.mark.blender
@pytest.mark.parametrize("last", ["", LATER], ids=["at once", "by animation"])
async def test_a_picture_is_taken_without_the_shader_of_a_camera(
    last: str, blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    if blender.version < "4.5":
        pytest.skip("this Blender has no such cameras")
    report = await run(NO_RAYS + CAMERA + last, blender, lending, tmp_path)
    # Its rays lead nowhere: the picture would be black.
    assert [one["kind"] for one in report["evidence"]["scene"]["code"]] == ["script-camera"]
    stage = judge_render(report, tmp_path / "job" / "examine" / "out", "caller", RULES)
    assert (stage.state, stage.findings) == ("passed", [])


ASK = """
import json
import sys
sys.path.insert(0, sys.argv[-1])
import bpy
from harness.inside.scene.code import HOLDS_CODE, HOLDS_DATA
found = set()
for name in dir(bpy.types):
    rna = getattr(getattr(bpy.types, name), "bl_rna", None)
    for prop in rna.properties if rna else ():
        is_text = prop.type == "POINTER" and prop.fixed_type is not None and prop.fixed_type.identifier == "Text"
        if is_text or prop.identifier in ("bytecode", "custom_bytecode", "expression", "use_module"):
            found.add((name, prop.identifier))
print("@@" + json.dumps(sorted(found - HOLDS_CODE - HOLDS_DATA)))
"""


@pytest.mark.blender
def test_no_place_for_code_is_forgotten(home: Path, tmp_path: Path) -> None:
    every_blender = [*find_blenders(home, None, search=False), *find_blenders(home / "newer", None, search=False)]
    every_blender += [probe("executable", DEBIAN_BLENDER)] if DEBIAN_BLENDER.exists() else []
    script = tmp_path / "ask.py"
    script.write_text(ASK)
    root = str(Path(__file__).parents[2])
    for blender in every_blender:
        options = [] if blender.kind == "module" else ["-b", "--factory-startup", "--python"]
        command = [str(blender.path), *options, str(script), *(["--"] if options else []), root]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        told = next(line for line in done.stdout.splitlines() if line.startswith("@@"))
        assert json.loads(told[2:]) == [], blender.version

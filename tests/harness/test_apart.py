"""Setup, snippet, second execution and assertions are apart: none works or answers for another."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest

from harness.blenders import Blender
from harness.execution import execute
from harness.order import Order
from harness.pool.pool import Pool
from harness.protocol import RenderSettings
from harness.sandbox.ladder import strongest

pytestmark = pytest.mark.blender
SMALL = RenderSettings(size_px=64, samples=1)
Report = dict[str, Any]

ADD = "import bpy\\nbpy.ops.mesh.primitive_cube_add(size=1)"
SETUPS = {
    "replaces the compiler": f"""
import builtins
own = builtins.compile
builtins.compile = lambda source, *args, **options: own('{ADD}', *args, **options)
""",
    "leaves a handler": """
import bpy
def add(*_):
    if 'Late' not in bpy.data.objects:
        bpy.context.scene.collection.objects.link(bpy.data.objects.new('Late', None))
for event in ('load_post', 'save_pre', 'depsgraph_update_post'):
    getattr(bpy.app.handlers, event).append(bpy.app.handlers.persistent(add))
bpy.data.objects.remove(bpy.data.objects['Late']) if 'Late' in bpy.data.objects else None
""",
    "rewrites the snippet": f"""
import os
os.remove('snippet.py') if os.path.exists('snippet.py') else None
os.makedirs('snippet.py', exist_ok=True)
for name in ('ast.py', 'tokenize.py', 'linecache.py', 'usercustomize.py'):
    open(name, 'w').write('{ADD}')
""",
    "walks to what runs it": f"""
import sys
frame = sys._getframe()
while frame:
    if 'run_snippet' in frame.f_globals:
        own = frame.f_globals['run_snippet']
        frame.f_globals['run_snippet'] = lambda source, *args: own('{ADD}', *args)
    frame = frame.f_back
""",
}
STATE = """
import bpy
cube = bpy.data.objects['Cube']
cube.name = 'Kept'
bpy.ops.object.mode_set(mode='EDIT')
with open('note.txt', 'w') as file:
    file.write('kept')
"""
SEES_STATE = """
import bpy
assert bpy.context.mode == 'EDIT_MESH' and bpy.context.object.name == 'Kept'
assert open('note.txt').read() == 'kept'
assert bpy.data.filepath == ''
"""
ASSERTIONS = (
    "import builtins\nbuiltins.compile = lambda *args, **options: 'pass'",
    "assert False, 'the second'",
    "open('seen', 'w').write('1') if False else None\nimport bpy\nbpy.data.objects['Cube'].name = 'Gone'",
    "import bpy\nassert 'Cube' in bpy.data.objects",
    "import os\nos._exit(0)",
    "assert True",
)

CHANGES = {
    "colour ramp": (
        "n = nodes.get('Ramp') or nodes.new('ShaderNodeValToRGB')\nn.name = 'Ramp'\n",
        "n.color_ramp.elements[0].position += 0.1",
    ),
    "colours of vertices": (
        "c = mesh.color_attributes.get('C') or mesh.color_attributes.new('C', 'FLOAT_COLOR', 'POINT')\n",
        "c.data[0].color[0] += 0.1",
    ),
    "keyframe": (
        "cube.keyframe_insert('location', frame=1) if not cube.animation_data else None\n"
        "a = cube.animation_data.action\n"
        "f = a.layers[0].strips[0].channelbags[0].fcurves[0] if hasattr(a, 'layers') else a.fcurves[0]\n",
        "f.keyframe_points[0].co[1] += 1",
    ),
    "weight": (
        "g = cube.vertex_groups.get('G') or cube.vertex_groups.new(name='G')\n",
        "g.add([0], 0.2 + (g.weight(0) if mesh.vertices[0].groups else 0), 'REPLACE')",
    ),
    "pixel": (
        "i = bpy.data.images.get('I') or bpy.data.images.new('I', 4, 4)\ni.use_fake_user = True\n",
        "i.pixels[0] = i.pixels[0] + 0.25",
    ),
    "UV": ("", "mesh.uv_layers[0].data[0].uv[0] += 0.1"),
    "output of a node": (
        "n = nodes.get('V') or nodes.new('ShaderNodeValue')\nn.name = 'V'\n",
        "n.outputs[0].default_value += 1",
    ),
    "input of geometry nodes": (
        "t = bpy.data.node_groups.get('T') or bpy.data.node_groups.new('T', 'GeometryNodeTree')\n"
        "s = t.interface.items_tree.get('S') or t.interface.new_socket('S', in_out='INPUT', "
        "socket_type='NodeSocketFloat')\n"
        "m = cube.modifiers.get('M') or cube.modifiers.new('M', 'NODES')\nm.node_group = t\n",
        "setattr(i := getattr(m.properties.inputs, s.identifier), 'value', i.value + 1.0) "
        "if bpy.app.version >= (5, 2) else m.__setitem__(s.identifier, m[s.identifier] + 1.0)",
    ),
    "another scene": (
        "s = bpy.data.scenes.get('S') or bpy.data.scenes.new('S')\n",
        "s.frame_end += 1",
    ),
    "text": (
        "t = bpy.data.texts.get('T') or bpy.data.texts.new('T')\nt.use_fake_user = True\n",
        "t.write('more')",
    ),
}
HEAD = "import bpy\ncube = bpy.data.objects['Cube']\nmesh = cube.data\nnodes = cube.active_material.node_tree.nodes\n"


def orders() -> dict[str, Order]:
    """All that is executed, in one pool."""
    found = {f"setup {name}": Order("", setup_snippet=setup) for name, setup in SETUPS.items()}
    found["setup that lasts"] = Order(SEES_STATE, setup_snippet=STATE)
    found["assertions"] = Order("", accept=tuple({"check": "python", "code": code} for code in ASSERTIONS))
    found |= {f"changes {name}": Order(HEAD + once + each) for name, (once, each) in CHANGES.items()}
    found |= {f"keeps {name}": Order(HEAD + once) for name, (once, _) in CHANGES.items()}
    return {name: dataclasses.replace(order, render=SMALL) for name, order in found.items()}


@pytest.fixture(scope="module")
def done(blender: Blender, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    folder, sandbox = tmp_path_factory.mktemp("jobs"), strongest()

    async def all_of_them() -> dict[str, Report]:
        pool = Pool(tmp_path_factory.mktemp("warm"), sandbox, 1) if sandbox.keeps_forks_apart else None
        try:
            return {
                name: await execute(blender, order, folder / str(number), sandbox, pool)
                for number, (name, order) in enumerate(orders().items())
            }
        finally:
            if pool:
                await pool.close()

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("setup", SETUPS)
def test_a_setup_does_not_work_in_the_name_of_the_snippet(setup: str, done: dict[str, Report]) -> None:
    report = done[f"setup {setup}"]
    assert report["outcome"] == "passed", report["reason"]
    assert report["evidence"]["changes"]["added"]["objects"] == []


def test_what_a_setup_leaves_in_the_scene_and_beside_it_is_there(done: dict[str, Report]) -> None:
    assert done["setup that lasts"]["outcome"] == "passed", done["setup that lasts"]["reason"]


def test_no_assertion_answers_for_another(done: dict[str, Report]) -> None:
    answers = done["assertions"]["evidence"]["accept"]
    assert [one["met"] for one in answers] == [True, False, True, True, False, True]
    assert answers[1]["seen"] == "the second"
    assert "ended its process" in answers[4]["seen"]


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_a_second_execution_changes_is_named(what: str, done: dict[str, Report]) -> None:
    repeat = done[f"changes {what}"]["evidence"]["repeat"]
    assert (repeat["outcome"], repeat["added"], bool(repeat["changed"])) == ("passed", [], True), repeat
    twin = done[f"keeps {what}"]["evidence"]["repeat"]
    assert (twin["outcome"], twin["added"], twin["changed"]) == ("passed", [], []), twin

"""Failures that lack nothing, near twins of those that do, and odd snippets."""

from __future__ import annotations

import pytest

from harness.triage import triage
from harness.triage.statement import FailurePlace
from tests.failures import EMPTY, MADE, Case, assert_missing, index, judge, key, no_file, no_operator, none_has_no, poll

ORDINARY: list[Case] = [
    # Renamed members, in an operator of the snippet and in a function that is given a bone.
    Case(
        "class Old(bpy.types.Operator):\n    def execute(self, context):\n        context.object.select = True\n"
        "bpy.ops.my.old()",
        "RuntimeError",
        'Error: Python: Traceback (most recent call last):\n  File "snippet.py", line 4, in execute\n'
        "AttributeError: 'Object' object has no attribute 'select'\nLocation: /bpy/ops.py:109\n",
    ),
    Case(
        "def layer(bone):\n    bone.layers[0] = True\nlayer(bpy.context.object.data.bones[0])",
        "AttributeError",
        "'Bone' object has no attribute 'layers'",
    ),
    # Renamed in Blender, although the error is the same.
    Case("node.inputs['Emission'].default_value = 1", "KeyError", key("Emission")),
    Case(
        "n = bpy.data.materials['Material'].node_tree.nodes\nn['Diffuse BSDF']",
        "KeyError",
        key("Diffuse BSDF"),
    ),
    Case("bpy.data.objects['Lamp']", "KeyError", key("Lamp")),
    Case("bpy.context.scene.view_layers['View Layer']", "KeyError", key("View Layer")),
    Case("bsdf.inputs[99]", "IndexError", index(99, 31)),
    Case(
        "bpy.context.scene.objects.link(o)",
        "AttributeError",
        'bpy_prop_collection: attribute "link" not found',
    ),
    Case(
        "bpy.context.active_object.select = True",
        "AttributeError",
        "'Object' object has no attribute 'select'",
    ),
    Case("nodes.get('Principled BSDF').inputs", "AttributeError", none_has_no("inputs")),
    Case("max([], key=lambda o: o.name)", "ValueError", "max() arg is an empty sequence"),
    # The add-on is there, and the name is wrong.
    Case(
        "import addon_utils\naddon_utils.enable('rigify')\nbpy.context.scene.rigify_nmae",
        "AttributeError",
        "'Scene' object has no attribute 'rigify_nmae'",
        stderr="No module named 'mb-lab'",
    ),
    Case(
        "import addon_utils\naddon_utils.enable('mb-lab')\nbpy.context.object.select = True",
        "AttributeError",
        "'Object' object has no attribute 'select'",
    ),
    Case("import bgl", "ModuleNotFoundError", "No module named 'bgl'"),
    Case("import imp", "ModuleNotFoundError", "No module named 'imp'"),
    Case("import bpy_extra", "ModuleNotFoundError", "No module named 'bpy_extra'"),
    Case("import io_mesh_stl", "ModuleNotFoundError", "No module named 'io_mesh_stl'"),
    Case("from bpy_extras import nothing", "ImportError", "cannot import name 'nothing' from 'bpy_extras'"),
    # The snippet makes it itself, and looks it up wrongly.
    Case(
        "o = bpy.data.objects.new('Rig', None)\no.name = 'Body'\nbpy.data.objects['Rig']",
        "KeyError",
        key("Rig"),
    ),
    Case(
        "bpy.ops.mesh.primitive_uv_sphere_add()\nbpy.data.objects['Sphere.001']",
        "KeyError",
        key("Sphere.001"),
    ),
    Case("o.modifiers.new('Bevel', 'BEVEL')\no.modifiers['bevel']", "KeyError", key("bevel")),
    Case(
        "bpy.ops.mesh.primitive_cube_add()\nbpy.context.object.pose.bones",
        "AttributeError",
        none_has_no("bones"),
    ),
    Case("import mesh_looptools", "ModuleNotFoundError", "No module named 'mesh_looptools'"),
    Case("o.modifiers.new('A', 'BEVEL')\no.modifiers.get('B').width", "AttributeError", none_has_no("width")),
    Case(
        "for v in bpy.context.object.data.bad():\n    pass",
        "TypeError",
        "'NoneType' object is not iterable",
        2,
    ),
    # Modules that shipped with Blender were renamed or dropped: the code has to change.
    Case("import io_scene_obj", "ModuleNotFoundError", "No module named 'io_scene_obj'"),
    # What it caught may be a fault of its own.
    Case(
        "try:\n    o.locatio\nexcept AttributeError:\n    raise RuntimeError('Install the add-on first')",
        "RuntimeError",
        "Install the add-on first",
    ),
    Case("a, b = (1, 2, 3)", "ValueError", "too many values to unpack (expected 2)"),
    Case(
        "strips = bpy.context.scene.sequence_editor.strips\nstrips.new_effect('A', 'COLOR', 1, 1, length=9)\n"
        "max(strip.mute for strip in strips if strip.lock)",
        "ValueError",
        "max() arg is an empty sequence",
    ),
    Case("mesh = None\nmesh.vertices", "AttributeError", none_has_no("vertices")),
    Case("def f(area):\n    return area.type\nf(None)", "AttributeError", none_has_no("type"), 3),
    Case("[1, 2][3]", "IndexError", "list index out of range"),
    # Healed by setting up the world.
    Case("bpy.context.scene.world.use_nodes = True", "AttributeError", none_has_no("use_nodes")),
    Case("bpy.ops.anim.keyframe_insert()", "RuntimeError", poll("anim.keyframe_insert")),
    # It made the object, or left the mode, itself.
    Case(f"{MADE}bpy.ops.mesh.select_all()", "RuntimeError", poll("mesh.select_all")),
    Case(f"{MADE}bpy.ops.object.mode_set(mode='EDIT')", "RuntimeError", poll("object.mode_set")),
    Case("bpy.ops.object.mode_set(mode='OBJECT')\nbpy.ops.uv.unwrap()", "RuntimeError", poll("uv.unwrap")),
    Case("bpy.ops.object.mode_set(mode='EDIT')\nbpy.ops.object.join()", "RuntimeError", poll("object.join")),
    Case(f"{MADE}import bmesh\nbmesh.from_edit_mesh(mesh)", "ValueError", "The mesh must be in editmode"),
    Case(f"{MADE}bpy.context.object.data.splines", "AttributeError", "'Mesh' object has no attribute 'splines'"),
    Case("bpy.context.object.data.vertexes", "AttributeError", "'Mesh' object has no attribute 'vertexes'"),
    Case("bpy.context.object.data.lens", "AttributeError", "'Camera' object has no attribute 'lens'"),
    Case(
        "o = bpy.data.objects.new('Arch', bpy.data.meshes.new('Arch'))\nbpy.data.objects['Arch'].data.splines",
        "AttributeError",
        "'Mesh' object has no attribute 'splines'",
    ),
    Case(f"{MADE}max(v.co.z for v in bpy.context.object.data.vertices if v.select)", "ValueError", EMPTY),
    Case("heights = []\nmax(heights)", "ValueError", EMPTY),
    Case("print(1 / 0)", "ZeroDivisionError", "division by zero"),
    # Its own words about what it made, about drift, or about nothing that could be brought.
    Case(f"{MADE}raise ValueError('the object was not found')", "ValueError", "the object was not found"),
    Case(
        "bpy.data.objects.new('Keel', None)\nraise ValueError(\"object 'Keel' not found\")",
        "ValueError",
        "object 'Keel' not found",
    ),
    Case("raise ValueError('node Emission not found')", "ValueError", "node Emission not found"),
    Case("raise ValueError('count must be positive')", "ValueError", "count must be positive"),
    Case(f"{MADE}assert len(v) == 8, 'expected 8 vertices'", "AssertionError", "expected 8 vertices"),
    Case(
        "try:\n    bpy.context.scene.node_tree\nexcept Exception:\n    raise RuntimeError('scene not found')",
        "RuntimeError",
        "scene not found",
    ),
    Case(
        "raise RuntimeError('failed: ...')",
        "RuntimeError",
        'failed: bpy_prop_collection[key]: key "Rig" not found, object missing',
    ),
    Case("import sys\nprint('cannot go on')\nsys.exit(1)", "SystemExit", "1"),
    # Operators that Blender renamed, or that the snippet defines.
    Case("bpy.ops.mesh.primitive_monkey_ad()", "AttributeError", no_operator("mesh.primitive_monkey_ad")),
    Case("bpy.ops.import_scene.obj()", "AttributeError", no_operator("import_scene.obj")),
    Case(
        "class Brick(bpy.types.Operator):\n    bl_idname = 'masonry.brick'\nbpy.ops.masonry.brick()",
        "AttributeError",
        no_operator("masonry.brick"),
    ),
    Case("for a in []:\n    if a:\n        b = a\nprint(b)", "NameError", "name 'b' is not defined"),
    # A folder to write to is not a file to read.
    Case("open('/out/a.txt', 'w')", "FileNotFoundError", no_file("/out/a.txt")),
    Case("open('/out/a.txt', mode='ab')", "FileNotFoundError", no_file("/out/a.txt")),
    Case("import os\nos.mkdir('/out/a')", "FileNotFoundError", no_file("/out/a")),
    Case(
        "from pathlib import Path\np = Path('/out/a')\np.write_text('a')",
        "FileNotFoundError",
        no_file("/out/a"),
    ),
    Case("open('/out/a.txt', 'w')", "PermissionError", "[Errno 13] Permission denied: '/out/a.txt'"),
    Case("i.save()", "RuntimeError", "Error: Could not write image: No such file or directory\n"),
    # Left on purpose, or wrong in itself.
    Case("import sys\nsys.exit(0)", "SystemExit", "0", exit_code=0),
    Case("import sys\nsys.exit(2)", "SystemExit", "2", exit_code=2),
    Case(
        "p.parse_args()",
        "SystemExit",
        "2",
        stderr="snippet.py: error: unrecognized arguments: -b\n",
    ),
    Case("items = [1]\nitems[3]", "IndexError", "list index out of range"),
    Case("int('a')", "ValueError", "invalid literal for int() with base 10: 'a'"),
    Case("x = {}\nx['JOB']", "KeyError", "'JOB'"),
    Case("mesh.from_pydata(1)", "", "", exit_code=-11),
    # The window was never asked for, or it is not known which line crashed.
    Case("def ask(w):\n    w.invoke_props_dialog(None)\nmesh.from_pydata(1)", "", "", exit_code=-11),
    Case("bpy.context.window_manager.popup_menu(f)", "", "", line=0, exit_code=-11),
    # No Blender since 5.0 has it, with a window or not.
    Case("import bgl\nbgl.glEnable(bgl.GL_BLEND)", "ModuleNotFoundError", "No module named 'bgl'", line=2),
    Case("undefined", "NameError", "name 'undefined' is not defined"),
    Case("def f(:", "SyntaxError", "invalid syntax"),
]


@pytest.mark.parametrize("case", ORDINARY)
def test_an_ordinary_failure_lacks_nothing(case: Case) -> None:
    assert judge(case) is None


@pytest.mark.parametrize("line", [None, 0, 99])
def test_a_line_that_is_unknown_leaves_what_the_message_says(line: int | None) -> None:
    message = "Error: Cannot read 'a.png': No such file or directory"
    assert_missing("needs_file", 'file "a.png"', triage("x = 1", "RuntimeError", message, line, "", 1))
    assert triage("x = 1", "KeyError", key("Rig"), line, "", 1) is None


@pytest.mark.parametrize(
    "snippet", ["\0", r"a.b('\d')", "x = " + "a + " * 900 + "a.b", "a = a.b\n" * 2000, "a = b\nb = a\n" * 50]
)
def test_odd_snippets_do_no_harm(snippet: str) -> None:
    assert triage(snippet, "AttributeError", none_has_no("b"), 1, "", 1) is None


def test_a_statement_that_cannot_be_written_down_is_no_fault() -> None:
    assert (
        triage("x = f\"{c('\u200b')}\".b\n", "AttributeError", "'str' object has no attribute 'b'", 1, "", None) is None
    )


LONG = "a" * 16_000


@pytest.mark.parametrize(
    "case",
    [
        Case(f"bpy.context.selected{LONG}.x[0]", "IndexError", "1"),
        Case("open('x')", "OSError", "'" * 100_000),
        Case("open('x')", "SystemExit", "2", stderr="error: one of the arguments " * 10_000),
        Case("f(" * 40 + "[" + "0," * 30_000 + "]" + ")" * 40, "IndexError", "1"),
        Case(f"b = [{'0,' * 30_000}]\nf({'b,' * 1000})", "IndexError", "1"),
        Case("f(" + "g(" * 60 + "h," * 1900 + ")" * 61, "IndexError", "1"),
    ],
    ids=["name", "message", "stderr", "statement", "assigned", "nested"],
)
def test_what_is_too_long_to_be_read_lacks_nothing_that_is_known(case: Case) -> None:
    missing = judge(case)
    assert missing is None or len(missing.what) < 5000


def test_an_expression_is_written_down_only_where_it_is_short() -> None:
    place = FailurePlace.of(f"x = [{'0,' * 3000}]\ny = short\nf(x[0], y[0])\n", 3)
    assert {"f(x[0], y[0])", "x[0]", "short[0]"} <= set(place.texts)
    whole = FailurePlace.of(f"f([{'0,' * 3000}], b)\n", 1)
    assert [text for text in whole.texts if text not in ("", "0")] == ["f", "b"]

"""A table of failures and what each lacks.

Most exceptions and messages are those of Blender 5.0.1 in background. A few are those of 3.4, and about a
dozen rows only test a pattern that messages follow.
"""

from __future__ import annotations

import pytest

from tests.failures import (
    ARGPARSE,
    ARGV,
    EMPTY,
    GPU,
    MADE,
    Case,
    assert_missing,
    index,
    judge,
    key,
    no_file,
    no_operator,
    none_has_no,
    poll,
)

SCENE: list[tuple[str, Case]] = [
    ('object "Rig"', Case("bpy.data.objects['Rig']", "KeyError", key("Rig"))),
    ('object "Rig"', Case("name = 'Rig'\nbpy.data.objects[name].select_set(True)", "KeyError", key("Rig"))),
    ('object "Rig"', Case("scene = bpy.context.scene\nscene.objects['Rig']", "KeyError", key("Rig"))),
    ('object "Rig"', Case("D = bpy.data\na = 1; D.objects['Rig']; b = 2", "KeyError", key("Rig"))),
    (
        'object "Rig"',
        Case("from bpy import data\nif data.objects['Rig']:\n    pass", "KeyError", key("Rig"), 3),
    ),
    (
        'object "Rig"',
        Case("rig = bpy.data.objects.get('Rig')\nrig.data", "AttributeError", none_has_no("data")),
    ),
    (
        'object "Rig"',
        Case(
            "def f(context):\n    a = context.scene.objects.get('Rig')\n    a.location.x = 1\nf(bpy.context)",
            "AttributeError",
            none_has_no("location"),
            4,
        ),
    ),
    (
        'object "Rig"',
        Case(
            "bpy.context.collection.objects.link(bpy.data.objects.get('Rig'))",
            "TypeError",
            'CollectionObjects.link(): error with argument 1, "object" -  '
            "Function.object does not support a 'None' assignment Object type",
        ),
    ),
    ('collection "Props"', Case("bpy.data.collections['Props']", "KeyError", key("Props"))),
    ('material "Wood"', Case("bpy.data.materials['Wood'].use_nodes = True", "KeyError", key("Wood"))),
    (
        'bone "Hand.L"',
        Case("ob = bpy.data.objects['Rig']\nob.pose.bones['Hand.L']", "KeyError", key("Hand.L")),
    ),
    ('vertex group "Top"', Case("bpy.context.object.vertex_groups['Top']", "KeyError", key("Top"))),
    ("an armature", Case("bpy.data.armatures[0].bones", "IndexError", index(0, 0))),
    (
        "an object for which o.type == 'ARMATURE'",
        Case(
            "[o for o in bpy.data.objects if o.type == 'ARMATURE'][0]",
            "IndexError",
            "list index out of range",
        ),
    ),
    (
        "an object for which o.type == 'ARMATURE'",
        Case("next(o for o in bpy.data.objects if o.type == 'ARMATURE')", "StopIteration", ""),
    ),
    ("a selected object", Case("bpy.context.selected_objects[1]", "IndexError", "list index out of range")),
    (
        "a selected object",
        Case("sel = bpy.context.selected_objects\nsel[1].name", "IndexError", "list index out of range"),
    ),
    (
        "a selected pose bone",
        Case("bpy.context.selected_pose_bones[0]", "TypeError", "'NoneType' object is not subscriptable"),
    ),
    (
        "an active object",
        Case("bpy.ops.object.delete()\nbpy.context.active_object.data", "AttributeError", none_has_no("data")),
    ),
    (
        "an active object",
        Case("bpy.ops.object.delete()\nob = bpy.context.object\nob.name", "AttributeError", none_has_no("name")),
    ),
    (
        'an armature called "Cube"',
        Case("ob = bpy.data.objects['Cube']\nob.pose.bones['Hand.L']", "AttributeError", none_has_no("bones")),
    ),
    (
        "an armature as the active object",
        Case("bpy.context.object.pose.bones['Hand.L']", "AttributeError", none_has_no("bones")),
    ),
    (
        "an armature as the active object",
        Case("bpy.context.object.data.bones", "AttributeError", "'Mesh' object has no attribute 'bones'"),
    ),
    (
        "an armature as the active object",
        Case(
            "bpy.ops.object.mode_set(mode='POSE')",
            "TypeError",
            "Converting py args to operator properties: enum \"POSE\" not found in ('OBJECT', 'EDIT')",
        ),
    ),
    (
        "a selected pose bone",
        Case(
            "for b in bpy.context.selected_pose_bones:\n    b.name",
            "TypeError",
            "'NoneType' object is not iterable",
            2,
        ),
    ),
    (
        'modifier "Bevel"',
        Case("bpy.context.object.modifiers.get('Bevel').width", "AttributeError", none_has_no("width")),
    ),
    (
        "shape keys on the object",
        Case("bpy.context.object.data.shape_keys.key_blocks", "AttributeError", none_has_no("key_blocks")),
    ),
    (
        "an armature in pose mode (bpy.ops.pose.select_all)",
        Case("bpy.ops.pose.select_all()", "RuntimeError", poll("pose.select_all")),
    ),
    (
        "a mesh in edit mode (bpy.ops.mesh.bevel)",
        Case("bpy.ops.mesh.bevel(offset=0.1)", "RuntimeError", poll("mesh.bevel")),
    ),
    (
        "an active object, in the right mode (bpy.ops.object.mode_set)",
        Case("bpy.ops.object.mode_set(mode='EDIT')", "RuntimeError", poll("object.mode_set")),
    ),
    (
        "a mesh in edit mode",
        Case("import bmesh\nbmesh.from_edit_mesh(ob.data)", "ValueError", "The mesh must be in editmode"),
    ),
    (
        "a mesh as the active object",
        Case("bm.from_mesh(bpy.context.object.data)", "TypeError", "expected 'Mesh' type found 'PointLight' instead"),
    ),
    (
        "a curve as the active object",
        Case(
            "me = bpy.context.selected_objects[0].data\nme.splines",
            "AttributeError",
            "'Mesh' object has no attribute 'splines'",
        ),
    ),
    (
        'a curve called "Path"',
        Case("bpy.data.objects['Path'].data.splines[0]", "AttributeError", "'Mesh' object has no attribute 'splines'"),
    ),
    (
        "a selected object",
        Case("x / len(bpy.context.selected_objects)", "ZeroDivisionError", "division by zero"),
    ),
    (
        "a selected element of the mesh",
        Case("max(v.co.z for v in mesh.vertices if v.select)", "ValueError", EMPTY),
    ),
    (
        "an object for which o.type == 'CURVE'",
        Case(
            "path = None\nfor o in bpy.data.objects:\n    if o.type == 'CURVE':\n        path = o\npath.data",
            "AttributeError",
            none_has_no("data"),
        ),
    ),
    (
        "an object for which o.type == 'CURVE'",
        Case(
            "def find():\n  for o in bpy.context.scene.objects:\n    if o.type == 'CURVE': return o\nfind().data",
            "AttributeError",
            none_has_no("data"),
        ),
    ),
    (
        "an object for which o.type == 'CURVE'",
        Case(
            "for o in bpy.data.objects:\n    if o.type == 'CURVE':\n        path = o\npath.data",
            "NameError",
            "name 'path' is not defined",
        ),
    ),
    (
        'something in the scene: it says "Please select an armature"',
        Case("raise Exception('Please select an armature')", "Exception", "Please select an armature"),
    ),
    (
        "something in the scene: it says \"Object 'Hull' not found\"",
        Case(f"{MADE}raise ValueError(f'Object {{n!r}} not found')", "ValueError", "Object 'Hull' not found"),
    ),
    (
        'something in the scene: it says "no camera in the scene"',
        Case("assert scene.camera, 'no camera in the scene'", "AssertionError", "no camera in the scene"),
    ),
    (
        'something in the scene: it says "The active object is not a mesh"',
        Case("import sys\nprint('The active object is not a mesh')\nsys.exit(1)", "SystemExit", "1"),
    ),
    (
        'something in the scene: it says "Select two objects first"',
        Case("import sys\nsys.exit('Select two objects first')", "SystemExit", "Select two objects first"),
    ),
    (
        'something in the scene: it says "No armature selected"',
        Case(
            "class Pose(bpy.types.Operator):\n    bl_idname = 'mine.pose'\nbpy.ops.mine.pose()",
            "RuntimeError",
            "Error: No armature selected",
        ),
    ),
    (
        'custom property "speed" on bpy.context.object',
        Case("bpy.context.object['speed']", "KeyError", 'bpy_struct[key]: key "speed" not found'),
    ),
]

FILE: list[tuple[str, Case]] = [
    (
        'file "//textures/wood.png"',
        Case(
            "bpy.data.images.load('//textures/wood.png')",
            "RuntimeError",
            "Error: Cannot read '//textures/wood.png': No such file or directory\n",
        ),
    ),
    (
        'file "/a.blend"',
        Case(
            "with bpy.data.libraries.load('/a.blend') as (a, b):\n    pass",
            "OSError",
            "load: /a.blend failed to open blend file",
            2,
        ),
    ),
    (
        'file "/a.blend"',
        Case(
            "with bpy.data.libraries.load('/a.blend') as (a, b): pass",
            "OSError",  # 3.4
            "Error: Failed to read blend file '/a.blend', not a blend file\n",
        ),
    ),
    (
        'file "/a.blend"',
        Case(
            "bpy.ops.wm.append(directory='/a.blend/Object/', filename='Cube')",
            "RuntimeError",
            "Error: '/a.blend/Object/Cube': nothing indicated\n",
        ),
    ),
    (
        'file "/a.blend"',
        Case(
            "bpy.ops.wm.open_mainfile(filepath='/a.blend')",
            "RuntimeError",
            'Error: Cannot read file "/a.blend": No such file or directory\n',
        ),
    ),
    (
        'file "/a.obj"',
        Case(
            "bpy.ops.wm.obj_import(filepath='/a.obj')",
            "RuntimeError",
            "Error: OBJ Import: Cannot open file '/a.obj'\n",
        ),
    ),
    (
        'file "/a.fbx"',
        Case(
            "bpy.ops.import_scene.fbx(filepath='/a.fbx')",
            "RuntimeError",
            f"Error: Couldn't open file '/a.fbx' ({no_file('/a.fbx')})\n",
        ),
    ),
    (
        'file "/a.usd"',
        Case(
            "bpy.ops.wm.usd_import(filepath='/a.usd')",
            "RuntimeError",
            "Error: USD Import: unable to open stage to read /a.usd\n",
        ),
    ),
    (
        'file "/a.glb"',
        Case(
            "path = '/a.glb'\nbpy.ops.import_scene.gltf(filepath=path)",
            "RuntimeError",
            "Error: Please select a file\n",
        ),
    ),
    (
        'file "/a.bvh"',
        Case(
            "bpy.ops.import_anim.bvh(filepath='/a.bvh')",
            "RuntimeError",
            f"Error: Python: Traceback (most recent call last):\nFileNotFoundError: {no_file('/a.bvh')}",
        ),
    ),
    (
        'file "/a.py"',
        Case(
            "bpy.ops.script.python_file_run(filepath='/a.py')",
            "RuntimeError",
            'Error: Python: OSError: Python file "/a.py" could not be opened: No such file\n',
        ),
    ),
    (
        'file "points.csv"',
        Case("with open('points.csv') as f:\n    pass", "FileNotFoundError", no_file("points.csv"), 2),
    ),
    (
        'file "a.json"',
        Case("import pathlib\npathlib.Path('a.json').read_text()", "FileNotFoundError", no_file("a.json")),
    ),
    ('file "poses"', Case("import os\nos.listdir('poses')", "FileNotFoundError", no_file("poses"))),
    (
        'module "my_helpers"',
        Case("import my_helpers.rig", "ModuleNotFoundError", "No module named 'my_helpers'"),
    ),
    ('Python package "PIL"', Case("from PIL import Image", "ModuleNotFoundError", "No module named 'PIL'")),
    (
        "the other modules of the package that this file belongs to",
        Case("from . import panels", "ImportError", "attempted relative import with no known parent package"),
    ),
    ("a file: the path is empty", Case("open('')", "FileNotFoundError", no_file(""))),
    (
        "a file: the path is empty",
        Case("bpy.ops.wm.obj_import(filepath='')", "RuntimeError", "Error: OBJ Import: Cannot open file ''"),
    ),
    (
        "a file: the path is empty",
        Case("bpy.data.images.load('')", "RuntimeError", "Error: Cannot read '': No such file or directory"),
    ),
    (
        "a file: the path is empty",
        Case("with bpy.data.libraries.load('') as (a, b): pass", "OSError", "load:  failed to open blend file"),
    ),
    (
        "a .blend file that was saved: this scene has no path (bpy.data.filepath is empty)",
        Case(
            "bpy.ops.wm.save_mainfile()",
            "RuntimeError",
            'Error: Unable to save an unsaved file with an empty or unset "filepath" property',
        ),
    ),
    (
        'a file: it says "Heightmap heights.png does not exist"',
        Case(
            "raise ValueError(f'Heightmap {name} does not exist')", "ValueError", "Heightmap heights.png does not exist"
        ),
    ),
    (
        'a file: it says "Save the .blend file first"',
        Case("import sys\nprint('Save the .blend file first')\nsys.exit(1)", "SystemExit", "1"),
    ),
]

ADDON: list[tuple[str, Case]] = [
    ('add-on "my_tools"', Case("bpy.context.preferences.addons['my_tools']", "KeyError", key("my_tools"))),
    (
        "the add-on that defines `bpy.ops.facade.make_wall`",
        Case("bpy.ops.facade.make_wall(height=3)", "AttributeError", no_operator("facade.make_wall")),
    ),
    (
        "the add-on LoopTools, to which `bpy.ops.mesh.looptools_circle` belongs",
        Case("bpy.ops.mesh.looptools_circle()", "AttributeError", no_operator("mesh.looptools_circle")),
    ),
    (
        'add-on "facade"',
        Case(
            "bpy.ops.preferences.addon_enable(module='facade')",
            "RuntimeError",
            "Error: Add-on not loaded: \"facade\", cause: No module named 'facade'",
        ),
    ),
    ('add-on "sverchok"', Case("import sverchok", "ModuleNotFoundError", "No module named 'sverchok'")),
    (
        'add-on "facade"',
        Case("import facade\nbpy.ops.facade.make_wall()", "ModuleNotFoundError", "No module named 'facade'", 2),
    ),
    (
        'add-on "facade"',
        Case("import bl_ext.shop.facade", "ModuleNotFoundError", "No module named 'bl_ext.shop.facade'"),
    ),
    (
        'an add-on: it says "The Facade add-on is not enabled"',
        Case("raise RuntimeError(said)", "RuntimeError", "The Facade add-on is not enabled"),
    ),
]

ARGUMENTS: list[tuple[str, Case]] = [
    (
        "argument --out",
        Case(
            f"{ARGPARSE}p.parse_args([])",
            "SystemExit",
            "2",
            stderr=("usage: snippet.py\nsnippet.py: error: the following arguments are required: --out\n"),
        ),
    ),
    (
        "argument --out, n",
        Case(
            f"{ARGPARSE}p.parse_args([])",
            "SystemExit",
            "2",
            stderr=("snippet.py: error: the following arguments are required: --out, n\n"),
        ),
    ),
    (
        "argument --a --b",
        Case(
            "p.parse_args([])",
            "SystemExit",
            "2",
            stderr=("snippet.py: error: one of the arguments --a --b is required\n"),
        ),
    ),
    (
        "arguments (snippet.py IN OUT)",
        Case("import sys\nsys.exit('Usage: snippet.py IN OUT')", "SystemExit", "Usage: snippet.py IN OUT"),
    ),
    ("argument 1", Case(f"{ARGV}path = argv[0]", "IndexError", "list index out of range")),
    ("argument 7", Case("import sys\nsys.argv[7]", "IndexError", "list index out of range")),
    (
        "argument --size",
        Case("import sys\nsys.argv.index('--size')", "ValueError", "'--size' is not in list"),
    ),
    (
        "a value for argument --size",
        Case("import sys\nsys.argv[sys.argv.index('--size') + 1]", "IndexError", "list index out of range"),
    ),
    ("arguments (sys.argv)", Case(f"{ARGV}a, b = argv", "ValueError", "not enough values to unpack")),
    (
        "arguments (sys.argv)",
        Case("import sys\nfloat(sys.argv[-1])", "ValueError", "could not convert string to float: '--'"),
    ),
    (
        "argument --in-file",
        Case(
            f"{ARGPARSE}args = p.parse_args([])\nopen(args.in_file)",
            "TypeError",
            "expected str, bytes or os.PathLike object, not NoneType",
        ),
    ),
    (
        'arguments: it says "--out is required"',
        Case("raise SystemExit('--out is required')", "SystemExit", "--out is required"),
    ),
    ("environment variable JOB", Case("import os\nos.environ['JOB']", "KeyError", "'JOB'")),
]

WINDOW: list[tuple[str, Case]] = [
    (
        "an area (bpy.context.area)",
        Case("bpy.context.area.type = 'VIEW_3D'", "AttributeError", none_has_no("type")),
    ),
    (
        "an area (bpy.context.area)",
        Case("C = bpy.context\narea = C.area\narea.spaces", "AttributeError", none_has_no("spaces")),
    ),
    (
        "an editor (bpy.context.space_data)",
        Case("bpy.context.space_data.text.name", "AttributeError", none_has_no("text")),
    ),
    (
        "an area (bpy.context.area)",
        Case("for s in bpy.context.area.spaces:\n    pass", "AttributeError", none_has_no("spaces"), 2),
    ),
    (
        "a node editor (bpy.context.selected_nodes)",
        Case(
            "bpy.context.selected_nodes",
            "AttributeError",
            "'Context' object has no attribute 'selected_nodes'",
        ),
    ),
    (
        "a 3D viewport (bpy.ops.view3d.view_axis)",
        Case("bpy.ops.view3d.view_axis(type='TOP')", "RuntimeError", poll("view3d.view_axis")),
    ),
    (
        "a 3D viewport (bpy.ops.mesh.loopcut_slide)",
        Case(  # 3.4
            "bpy.ops.mesh.loopcut_slide()",
            "RuntimeError",
            poll("mesh.loopcut_slide", "expected a view3d region & editmesh"),
        ),
    ),
    (
        "an active Outliner (bpy.ops.outliner.show_active)",
        Case(
            "bpy.ops.outliner.show_active()",
            "RuntimeError",
            poll("outliner.show_active", "Expected an active Outliner"),
        ),
    ),
    (
        "a node editor (bpy.ops.node.add_node)",
        Case("bpy.ops.node.add_node()", "RuntimeError", poll("node.add_node")),
    ),
    (
        "a graph editor (bpy.ops.graph.select_all)",
        Case("bpy.ops.graph.select_all()", "RuntimeError", poll("graph.select_all")),
    ),
    (
        "a UV editor (bpy.ops.uv.snap_cursor)",
        Case("bpy.ops.uv.snap_cursor()", "RuntimeError", poll("uv.snap_cursor")),
    ),
    (
        "a window (bpy.ops.wm.redraw_timer)",
        Case("bpy.ops.wm.redraw_timer()", "RuntimeError", poll("wm.redraw_timer")),
    ),
    (
        "a 3D viewport (bpy.ops.render.opengl)",
        Case(
            "bpy.ops.render.opengl()",
            "RuntimeError",
            "Error: Cannot use OpenGL render in background mode (no opengl context)\n",
        ),
    ),
    (
        "a window to draw in (gpu)",
        Case("import gpu\ngpu.shader.from_builtin('UNIFORM_COLOR')", "SystemError", GPU),
    ),
    (
        "a window to draw in (gpu)",
        Case(
            "bpy.ops.uv.export_layout(filepath='/a.png')",
            "RuntimeError",
            f"Error: Python: Traceback (most recent call last):\nSystemError: {GPU}\n",
        ),
    ),
    (
        "a window to draw in (bgl)",
        Case("import bgl\nbgl.glEnable(bgl.GL_BLEND)", "ModuleNotFoundError", "No module named 'bgl'", 2),
    ),
    (
        "a window to draw in (bgl)",  # 4.5
        Case("import bgl\nbgl.glEnable(bgl.GL_BLEND)", "TypeError", "'NoneType' object is not callable"),
    ),
    (
        "a window with an editor in it",
        Case("bpy.context.window_manager.windows[0].screen", "IndexError", index(0, 0)),
    ),
    (
        "a window with an editor in it for which a.type == 'VIEW_3D'",
        Case(
            "for a in screen.areas:\n    if a.type == 'VIEW_3D':\n        view = a\nview.spaces",
            "NameError",
            "name 'view' is not defined",
        ),
    ),
    (
        'a window: it says "No 3D viewport found"',
        Case("raise RuntimeError('No 3D viewport found')", "RuntimeError", "No 3D viewport found"),
    ),
    (
        "a window (bpy.ops.wm.call_menu)",
        Case("bpy.ops.wm.call_menu(name='VIEW3D_MT_add')", "", "", exit_code=-11),
    ),
    (
        "a window (popup_menu)",
        Case("bpy.context.window_manager.popup_menu(lambda panel, context: None)", "", "", exit_code=139),
    ),
]


@pytest.mark.parametrize(("what", "case"), SCENE)
def test_a_missing_scene(what: str, case: Case) -> None:
    assert_missing("needs_scene", what, judge(case))


@pytest.mark.parametrize(("what", "case"), FILE)
def test_a_missing_file(what: str, case: Case) -> None:
    assert_missing("needs_file", what, judge(case))


@pytest.mark.parametrize(("what", "case"), ADDON)
def test_a_missing_addon(what: str, case: Case) -> None:
    assert_missing("needs_addon", what, judge(case))


def test_the_hint_says_how_to_supply_it() -> None:
    package = judge(Case("import skimage", "ModuleNotFoundError", "No module named 'skimage'"))
    unsaved = judge(
        Case("bpy.data.images.load('//a.png')", "RuntimeError", "Error: Cannot read '//a.png': No such file")
    )
    assert package is not None and "blenders packages add VERSION scikit-image" in package.hint
    assert unsaved is not None and "`//` is the folder of the .blend file" in unsaved.hint


@pytest.mark.parametrize(("what", "case"), ARGUMENTS)
def test_missing_arguments(what: str, case: Case) -> None:
    assert_missing("needs_arguments", what, judge(case))


@pytest.mark.parametrize(("what", "case"), WINDOW)
def test_a_missing_window(what: str, case: Case) -> None:
    assert_missing("needs_window", what, judge(case))

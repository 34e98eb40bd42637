"""A table of failures and what each lacks.

Most exceptions and messages are those of Blender 5.0.1 in background. A few are those of 3.4, and about a
dozen rows only test a pattern that messages follow.
"""

from __future__ import annotations

import pytest

from tests.failures import (
    ARGPARSE,
    ARGV,
    GPU,
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
from tests.harness.scene_failures import SCENE

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
    ('module "bpybb"', Case("from bpybb.animate import f", "ModuleNotFoundError", "No module named 'bpybb'")),
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

CATCHES = "try:\n    {}\nexcept AttributeError:\n    raise RuntimeError('Install the add-on first')"
ADDON: list[tuple[str, Case]] = [
    (
        'add-on "io_scene_psk"',
        Case("from io_scene_psk.reader import read", "ModuleNotFoundError", "No module named 'io_scene_psk'"),
    ),
    (
        'an add-on: it says "Install the add-on first"',
        Case(CATCHES.format("bpy.ops.import_scene.vrm()"), "RuntimeError", "Install the add-on first"),
    ),
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
        "the add-on of that format, to which `bpy.ops.import_mesh.dxf` belongs",
        Case("bpy.ops.import_mesh.dxf(filepath='a.dxf')", "AttributeError", no_operator("import_mesh.dxf")),
    ),
    (
        'add-on "facade"',
        Case(
            "bpy.ops.preferences.addon_enable(module='facade')",
            "RuntimeError",
            "Error: Add-on not loaded: \"facade\", cause: No module named 'facade'",
        ),
    ),
    (
        'add-on "mb-lab"',
        Case(
            "import addon_utils\naddon_utils.enable('mb-lab')\nbpy.context.scene.mblab_name = 'f'",
            "AttributeError",
            "'Scene' object has no attribute 'mblab_name'",
            stderr="ModuleNotFoundError: No module named 'mb-lab'",
        ),
    ),
    (
        'add-on "mb-lab"',
        Case(
            "import addon_utils\naddon_utils.enable('mb-lab')\nbpy.context.scene.mblab_name = 'f'",
            "AttributeError",
            "'Scene' object has no attribute 'mblab_name'",
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
        "a window with a toolbar",
        Case(
            "bpy.ops.wm.tool_set_by_id(name='builtin.draw', space_type='VIEW_3D')",
            "RuntimeError",
            'Error: Python: TypeError: WorkSpaceTool.setup(): error with keyword argument "keymap" -  Function.keymap '
            "expected a string type, not function\n",
        ),
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

LACKING = {
    "needs_file": FILE,
    "needs_addon": ADDON,
    "needs_arguments": ARGUMENTS,
    "needs_window": WINDOW,
    "needs_scene": SCENE,
}


@pytest.mark.parametrize(
    ("outcome", "what", "case"), [(outcome, *lacking) for outcome, table in LACKING.items() for lacking in table]
)
def test_what_is_missing_is_named(outcome: str, what: str, case: Case) -> None:
    assert_missing(outcome, what, judge(case))


def test_the_hint_says_how_to_supply_it() -> None:
    package = judge(Case("import skimage", "ModuleNotFoundError", "No module named 'skimage'"))
    unsaved = judge(
        Case("bpy.data.images.load('//a.png')", "RuntimeError", "Error: Cannot read '//a.png': No such file")
    )
    assert package is not None and "blenders packages add VERSION scikit-image" in package.hint
    assert unsaved is not None and "`//` is the folder of the .blend file" in unsaved.hint

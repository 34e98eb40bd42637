"""The edges that Blender makes from names: one small add-on, and a near twin of each edge that must not match."""

from __future__ import annotations

import gc
import weakref

import pytest

from codebase.graph.blender.classes_by_name import BlenderLookup
from codebase.graph.blender.name_tables import CALLERS, DRAWN, PROPERTIES
from codebase.graph.blender.name_tables import OPERATORS as OPERATORS_OF
from codebase.graph.outline.calls import CALLS
from tests.codebase.frames import frames, makes
from tests.codebase.graphs import code_of

OPERATORS = """\
import bpy

class OBJECT_OT_paint(bpy.types.Operator):
    bl_idname = "object.paint"

    size: bpy.props.FloatProperty()

    def execute(self, context):
        return {"FINISHED"}
"""
MENUS = """\
import bpy
from bpy.types import Menu, Panel, UIList

class VIEW3D_MT_paint(Menu):
    def draw(self, context):
        pass

class VIEW3D_PT_paint(Panel):
    bl_idname = "VIEW3D_PT_paint_panel"

class VIEW3D_UL_paint(UIList):
    pass
"""
SETTINGS = """\
import bpy

class Colours(bpy.types.PropertyGroup):
    red: bpy.props.FloatProperty()

class PaintSettings(bpy.types.PropertyGroup):
    size: bpy.props.FloatProperty()
    colours: bpy.props.PointerProperty(type=Colours)
    layers: bpy.props.CollectionProperty(type=Colours)

def register():
    bpy.types.Scene.paint = bpy.props.PointerProperty(type=PaintSettings)
"""
NAMES = """\
PREFIX = "object"
PAINT = f"{PREFIX}.paint"
class Ids:
    PAINT = "object.paint"
"""
HEAD = "import bpy\nfrom .operators import OBJECT_OT_paint\nfrom . import names\nfrom .names import Ids, PAINT\n"
PAINT = "operators.py::OBJECT_OT_paint"
COLOURS, GROUP, REGISTER = "settings.py::Colours", "settings.py::PaintSettings", "settings.py::register"


def edges(body: str, **files: str) -> set[tuple[str, str, str]]:
    """Kind, target and certainty of the edges from a function `f` with this body."""
    addon = {
        "__init__.py": "",
        "operators.py": OPERATORS,
        "menus.py": MENUS,
        "settings.py": SETTINGS,
        "names.py": NAMES,
    }
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = f"{HEAD}\ndef f(self, context, layout, x, scene):\n{lines}"
    return makes({**addon, "ui.py": text, **files}, "ui.py::f")


@pytest.mark.parametrize(
    "body",
    [
        "bpy.ops.object.paint()",
        "bpy.ops.object.paint('INVOKE_DEFAULT', size=2)",
        "ops = bpy.ops.object\nops.paint()",
        "from bpy import ops\nops.object.paint()",
        "layout.operator('object.paint', text='Paint')",
        "x.row().operator(operator='object.paint')",
        "layout.operator_menu_enum('object.paint', 'size')",
        "layout.operator(OBJECT_OT_paint.bl_idname)",
        "layout.operator(PAINT)",
        "layout.operator(names.PAINT)",
        "layout.operator(Ids.PAINT)",
        "name = 'object.paint'\nlayout.operator(name)",
        "x.keymap_items.new('object.paint', 'P', 'PRESS')",
        "kmi = x.keymap_items\nkmi.new(OBJECT_OT_paint.bl_idname, type='P', value='PRESS')",
        "getattr(bpy.ops.object, 'paint')()",
    ],
)
def test_an_operator_is_found_by_its_name(body: str) -> None:
    assert ("runs", PAINT, "exact") in edges(body)


@pytest.mark.parametrize(
    "body",
    [
        "bpy.ops.object.paint_all()",
        "bpy.ops.mesh.paint()",
        "layout.operator('object.delete')",
        "layout.operator('paint')",
        "layout.operator(x)",
        "# bpy.ops.object.paint()",
        "'''bpy.ops.object.paint()'''",
        "'use object.paint here'",
        "x.ops.object.paint()",
        "OBJECT_OT_paint = x\nlayout.operator(OBJECT_OT_paint.bl_idname)",
        "x.keymap_items.new('object.erase', 'P', 'PRESS')",
    ],
)
def test_what_only_looks_like_an_operator_is_none(body: str) -> None:
    assert not [one for one in edges(body) if one[0] == "runs"]


def test_a_mention_of_an_operator_is_certain_by_name_only() -> None:
    assert edges("draw_button(layout, 'object.paint')") == {("runs", PAINT, "by name")}
    assert edges("names = ['object.paint' if x else 'mesh.select']\nlayout.operator(names[0])") == {
        ("runs", PAINT, "by name"),
    }
    either = "name = 'object.paint' if x else 'object.other'\nlayout.operator(name)"
    assert edges(either) == {("runs", PAINT, "inferred")}


@pytest.mark.parametrize(
    ("body", "target"),
    [
        ("layout.menu('VIEW3D_MT_paint')", "menus.py::VIEW3D_MT_paint"),
        ("bpy.ops.wm.call_menu(name='VIEW3D_MT_paint')", "menus.py::VIEW3D_MT_paint"),
        ("op = layout.operator('wm.call_menu')\nop.name = 'VIEW3D_MT_paint'", "menus.py::VIEW3D_MT_paint"),
        (
            "kmi = x.keymap_items.new('wm.call_menu')\nkmi.properties.name = 'VIEW3D_MT_paint'",
            "menus.py::VIEW3D_MT_paint",
        ),
        ("layout.popover('VIEW3D_PT_paint_panel')", "menus.py::VIEW3D_PT_paint"),
        ("bpy.ops.wm.call_panel(name='VIEW3D_PT_paint_panel')", "menus.py::VIEW3D_PT_paint"),
        ("layout.template_list('VIEW3D_UL_paint', '', x, 'a', x, 'b')", "menus.py::VIEW3D_UL_paint"),
    ],
)
def test_menus_panels_and_lists_are_found_by_their_names(body: str, target: str) -> None:
    assert ("shows", target, "exact") in edges(body)
    assert not edges(body.replace("_paint", "_other"))


def test_the_class_name_of_a_panel_that_says_another_is_none() -> None:
    assert not edges("layout.popover('VIEW3D_PT_paint')")


def test_a_panel_names_its_parent() -> None:
    panel = "import bpy\nclass Inner(bpy.types.Panel):\n    bl_parent_id = 'VIEW3D_PT_paint_panel'\n"
    addon = {"menus.py": MENUS, "ui.py": panel}
    assert makes(addon, "ui.py::Inner") == {("shows", "menus.py::VIEW3D_PT_paint", "exact")}


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("context.scene.paint.size = 1", {(REGISTER, "exact"), (GROUP, "exact")}),
        ("bpy.context.scene.paint.colours.red", {(REGISTER, "exact"), (GROUP, "exact"), (COLOURS, "exact")}),
        ("bpy.data.scenes[0].paint.size", {(REGISTER, "exact"), (GROUP, "exact")}),
        (
            "p = context.scene.paint\nfor one in p.layers:\n    one.red",
            {(n, "exact") for n in (REGISTER, GROUP, COLOURS)},
        ),
        ("layout.prop(context.scene.paint, 'size')", {(REGISTER, "exact"), (GROUP, "exact")}),
        ("scene.paint.size", {(REGISTER, "inferred"), (GROUP, "inferred")}),
        ("op = layout.operator('object.paint')\nop.size = 3", {(PAINT, "exact")}),
        ("x.paint.size", {(REGISTER, "by name"), (GROUP, "inferred")}),
    ],
)
def test_properties_are_found_where_they_are_declared(body: str, targets: set[tuple[str, str]]) -> None:
    assert {(target, sure) for kind, target, sure in edges(body) if kind == "reads"} == targets


@pytest.mark.parametrize(
    "body", ["context.scene.size", "context.object.paint", "layout.prop(x, 'size')", "x.size", "paint = 1"]
)
def test_what_only_has_the_name_of_a_property_is_none(body: str) -> None:
    assert not [one for one in edges(body) if one[0] == "reads"]


def test_a_property_is_found_that_a_function_gives_to_the_type_it_is_given() -> None:
    init = "import bpy\ndef init(scene):\n    scene.brush = bpy.props.IntProperty()\n"
    text = init + "def f(context):\n    context.scene.brush\n"
    assert makes({"a.py": text}, "a.py::f") == {("reads", "a.py::init", "inferred")}
    assert not makes({"a.py": text.replace("bpy.props.IntProperty()", "3")}, "a.py::f")


CALLBACK = "def g(*given):\n    pass\n"


@pytest.mark.parametrize(
    "body",
    [
        "bpy.app.handlers.load_post.append(g)",
        "from bpy.app import handlers\nhandlers.save_pre.append(g)",
        "bpy.app.timers.register(g, first_interval=1)",
        "bpy.msgbus.subscribe_rna(key=x, owner=x, args=(), notify=g)",
        "bpy.types.SpaceView3D.draw_handler_add(g, (), 'WINDOW', 'POST_VIEW')",
        "bpy.types.VIEW3D_MT_add.append(g)",
        "bpy.app.driver_namespace['g'] = g",
        "bpy.props.IntProperty(update=g)",
        "bpy.props.EnumProperty(items=g)",
        "from functools import partial\nbpy.app.timers.register(partial(g, 1))",
    ],
)
def test_a_callback_is_found(body: str) -> None:
    found = edges("from .calls import g\n" + body, **{"calls.py": CALLBACK})
    assert ("hooks", "calls.py::g", "exact") in found


@pytest.mark.parametrize("body", ["x = []\nx.append(g)", "x.timers.register(g)", "x.append(g)", "other(update=g)"])
def test_what_is_given_to_something_else_is_no_callback(body: str) -> None:
    assert not [one for one in edges("from .calls import g\n" + body, **{"calls.py": CALLBACK}) if one[0] == "hooks"]


def test_a_callback_in_the_same_class_is_found() -> None:
    text = (
        "import bpy\nclass A(bpy.types.PropertyGroup):\n    def changed(self, context):\n        pass\n"
        "    size: bpy.props.IntProperty(update=changed)\n"
    )
    assert makes({"a.py": text}, "a.py::A") == {("hooks", "a.py::A.changed", "exact")}


def test_a_driver_hooks_the_functions_that_its_expression_calls() -> None:
    text = (
        "import bpy\ndef f(x): pass\ndef g(x): pass\n"
        "bpy.app.driver_namespace['f'] = f\nbpy.app.driver_namespace['g'] = g\n"
        "def drive(curve):\n    curve.driver.expression = 'diff(2) + x.f(1) + f + g (1)'\n"
    )
    assert makes({"a.py": text}, "a.py::drive") == {("hooks", "a.py::g", "inferred")}


def test_the_outlines_of_a_graph_go_with_it() -> None:
    lookup = BlenderLookup(code_of({"a.py": OPERATORS}))
    gone = weakref.ref(lookup)
    del lookup
    gc.collect()
    assert gone() is None


def test_a_name_in_a_string_that_is_split_is_found() -> None:
    body = "parts = OBJECT_OT_paint.bl_idname.split('.')\ngetattr(getattr(bpy.ops, parts[0]), parts[1])()"
    assert ("runs", PAINT, "inferred") in edges(body)


def test_outlines_keep_the_calls_that_rules_read() -> None:
    assert {*OPERATORS_OF, *DRAWN, *PROPERTIES, *CALLERS} <= CALLS


def test_registration_keeps_its_order() -> None:
    text = (
        "import bpy\nfrom . import menus, settings\nfrom .operators import OBJECT_OT_paint\n"
        "classes = [\n    menus.VIEW3D_PT_paint,\n    OBJECT_OT_paint,\n]\nmodules = (settings,)\n"
        "def register():\n    for one in classes:\n        bpy.utils.register_class(one)\n"
        "    for module in modules:\n        module.register()\n"
    )
    addon = {"__init__.py": text, "operators.py": OPERATORS, "menus.py": MENUS, "settings.py": SETTINGS}
    found = [edge for edge in frames(addon, "__init__.py::register") if edge[0] == "registers"]
    assert sorted(found, key=lambda edge: edge[2]) == [
        ("registers", "menus.py::VIEW3D_PT_paint", 5),
        ("registers", PAINT, 6),
        ("registers", REGISTER, 8),
    ]

"""The API check inside functions: what Blender and the snippet pass to them, names in strings, and silent drift."""

# ruff: noqa: E501
# Twins are side by side, so that readers see the difference.

from __future__ import annotations

import textwrap

import pytest

from app.reading import check_api
from app.verdict.rules import load_rules
from app.verdict.verdict import Finding, Severity
from ingest.manifest import Manifest
from tests.small_manifest import small_manifest

RULES = load_rules()
SMALL = small_manifest()
OLDER = small_manifest("4.2.1")


def findings(snippet: str, manifest: Manifest = SMALL) -> list[Finding]:
    text = f"import bpy, blf, gpu\n{textwrap.dedent(snippet)}"
    return check_api(text, manifest, lambda code: RULES.severity("api", code, "caller"))


def blocked(snippet: str, manifest: Manifest = SMALL) -> list[str]:
    return [one.code for one in findings(snippet, manifest) if one.severity is Severity.ERROR]


# Code that calls or registers `f`, and the parameter list that `f` then has. In each, `x` is an object.
PASSED = [
    ("f(bpy.context.object)", "x"),
    ("f(3, x=bpy.context.object)", "n, x"),
    ("for one in bpy.data.objects:\n    f(one)", "x, more=None"),
    ("def g(y):\n    f(y)\ng(bpy.context.object)", "x"),
    ("bpy.types.Object.size = bpy.props.FloatProperty(update=f)", "x, context"),
    ("bpy.types.Object.size = bpy.props.FloatProperty(get=f)", "x"),
    ("bpy.types.Scene.target = bpy.props.PointerProperty(type=bpy.types.Object, poll=f)", "scene, x"),
    ("bpy.types.SpaceView3D.draw_handler_add(f, (bpy.context.object,), 'WINDOW', 'POST_PIXEL')", "x"),
    ("import functools\nbpy.app.timers.register(functools.partial(f, bpy.context.object))", "x"),
    ("class A(bpy.types.Operator):\n    def execute(self, context):\n        f(context.object)", "x"),
    ("class A(bpy.types.Panel):\n    def draw(self, c):\n        f(c.object)", "x"),
]


@pytest.mark.parametrize(("use", "parameters"), PASSED)
def test_knows_what_is_passed(use: str, parameters: str) -> None:
    wrong, right = (f"def f({parameters}):\n    x.{name}\n{use}\n" for name in ("locaton", "location"))
    assert blocked(wrong) == ["unknown-attribute"]
    assert findings(right) == []


# Uses of `f` after which its parameter may be anything.
ESCAPES = [
    "f(bpy.context.object)\nf(unknown())",
    "f(bpy.context.object)\ntable = {'f': f}",
    "f(bpy.context.object)\nunknown(f)",
    "f(bpy.context.object)\nf(*unknown())",
    "f(bpy.context.object)\nf(bpy.context.scene.render) if 0 else None\ng = f",
    "def g(y):\n    f(y)\ng(bpy.context.object)\ng(unknown())",
    "bpy.types.Object.size = bpy.props.FloatProperty(update=f)\nf(unknown())",
    "unknown.append(f)",
]


@pytest.mark.parametrize("use", ESCAPES)
def test_is_silent_if_anything_may_be_passed(use: str) -> None:
    assert findings(f"def f(x):\n    x.locaton\n    x.camera\n{use}\n") == []


def test_a_member_of_one_of_several_is_right() -> None:
    use = "f(bpy.context.object)\nf(bpy.context.scene)\n"
    assert findings(f"def f(x):\n    x.camera\n{use}") == []
    assert len(findings(f"def f(x):\n    x.camra\n{use}")) == 1


def test_a_function_that_calls_itself_keeps_its_types() -> None:
    snippet = (
        "def f(x, depth):\n    x.{name}\n    if depth:\n        f(x.parent, depth - 1)\nf(bpy.context.object, 3)\n"
    )
    assert blocked(snippet.format(name="locaton")) == ["unknown-attribute"]
    assert findings(snippet.format(name="location")) == []


# A hook with `{}` for a member, what is wrong there, and its twin.
HOOKS = [
    ("class A(bpy.types.Operator):\n    def execute(self, context):\n        context.scene.{}", "camra", "camera"),
    ("class A(bpy.types.Operator):\n    def invoke(self, context, e):\n        e.{}", "valu", "value"),
    ("class A(bpy.types.Operator):\n    def execute(self, context):\n        self.report({}, 'x')", "'INFO'", "{'INFO'}"),
    ("class A(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.{}", "labl()", "label()"),
    ("class A(bpy.types.UIList):\n    def draw_item(self, c, where):\n        where.{}", "labl()", "label()"),
    ("class M:\n    def draw(self, context):\n        self.layout.{}\nclass A(M, bpy.types.Panel): pass", "labl()", "label()"),
    ("class A(bpy.types.Operator):\n    def execute(self, context):\n        self.tidy(context.object)\n    def tidy(self, ob):\n        ob.{}", "locaton", "location"),
    ("class A(bpy.types.Operator):\n    def execute(self, context):\n        self.find().{}\n    def find(self):\n        return bpy.context.object", "locaton", "location"),
    ("def f(self, context):\n    self.layout.{}\nbpy.types.VIEW3D_MT_add.append(f)\nbpy.types.VIEW3D_MT_add.remove(f)", "labl()", "label()"),
    ("@bpy.app.handlers.persistent\ndef f(scene, depsgraph=None):\n    depsgraph.{}\nbpy.app.handlers.frame_change_post.append(f)", "updat()", "update()"),
    ("def f(scene, graph):\n    scene.{}\nbpy.app.handlers.depsgraph_update_post.append(f)", "camra", "camera"),
    ("bpy.app.handlers.frame_change_pre.append(lambda scene, _: scene.{})", "camra", "camera"),
    ("class G(bpy.types.PropertyGroup):\n    act: bpy.props.PointerProperty(type=bpy.types.Object)\n    def go(self):\n        self.act.{}", "locaton", "location"),
    ("class G(bpy.types.PropertyGroup):\n    act: bpy.props.PointerProperty(type=bpy.types.Object)\nclass A(bpy.types.Panel):\n    def draw(self, context):\n        context.scene.mine.act.{}\nbpy.types.Scene.mine = bpy.props.PointerProperty(type=G)", "locaton", "location"),
    ("def f(x: list[bpy.types.Object]):\n    for one in x:\n        one.{}", "locaton", "location"),
    ("from typing import Optional\ndef f(x: Optional[bpy.types.Object]):\n    x.{}", "locaton", "location"),
]  # fmt: skip


@pytest.mark.parametrize(("hook", "wrong", "right"), HOOKS)
def test_knows_what_blender_passes(hook: str, wrong: str, right: str) -> None:
    assert len(blocked(hook.replace("{}", wrong))) == 1
    assert findings(hook.replace("{}", right)) == []


OWN = [
    # What a class of the snippet has itself is not what the manifest says of its base.
    "class A(bpy.types.Operator):\n    def report(self, text): pass\n    def execute(self, context):\n        self.report('x')",
    "class A(bpy.types.Panel):\n    def draw(self, context):\n        self.layout = context\n        self.layout.anything",
    "class A(bpy.types.Operator):\n    name: bpy.props.StringProperty()\n    def execute(self, context):\n        self.name = 'x'",
    "class A:\n    def execute(self, context):\n        context.anything.at_all",
    "class G(bpy.types.PropertyGroup):\n    size: bpy.props.FloatProperty()\nclass A(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.prop(context.scene.mine, 'size')\nbpy.types.Scene.mine = bpy.props.PointerProperty(type=G)",
    "class A(bpy.types.Operator):\n    bl_idname = 'my.own'\nclass B(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.operator('my.own').anything = 3",
]


@pytest.mark.parametrize("snippet", OWN)
def test_believes_the_classes_of_the_snippet(snippet: str) -> None:
    assert findings(snippet) == []


DRAW = "class A(bpy.types.Panel):\n    def draw(self, context):\n        row = self.layout.row()\n        scene = context.scene\n        {}\n"
NAMES = [
    ("removed", "row.prop(scene.eevee, 'use_bloom')", "row.prop(scene.eevee, 'samples')", "Glare"),
    ("unknown-attribute", "row.prop(scene.render, 'use_bloom')", "row.prop(scene.render, 'engine')", ""),
    ("unknown-attribute", "row.prop(data=scene, property='camra')", "row.prop(data=scene, property='camera')", "camera"),
    ("removed", "row.operator('object.lamp_add')", "row.operator('mesh.primitive_cube_add')", "light_add"),
    ("unknown-operator", "row.operator('mesh.primitive_cub_add')", "row.operator('MESH.primitive_cube_add')", "cube_add"),
    ("removed", "row.operator('mesh.primitive_cube_add').radius = 1", "row.operator('mesh.primitive_cube_add').size = 1", "size"),
    ("unknown-enum-item", "row.operator('mesh.primitive_cube_add').align = 'WRLD'", "row.operator('mesh.primitive_cube_add').align = 'WORLD'", "WORLD"),
    ("removed", "row.menu('INFO_MT_mesh_add')", "row.menu('VIEW3D_MT_mesh_add')", "VIEW3D_MT_mesh_add"),
    ("too-many-arguments", "blf.size(0, 16, 72)", "blf.size(0, 16)", "two arguments"),
    ("removed", "gpu.shader.from_builtin('2D_UNIFORM_COLOR')", "gpu.shader.from_builtin('UNIFORM_COLOR')", "UNIFORM_COLOR"),
    ("unknown-attribute", "context.object.keyframe_insert('locaton')", "context.object.keyframe_insert('location')", "location"),
    ("removed", "[0 for a in bpy.data.actions for c in a.fcurves]", "[0 for a in bpy.data.actions for c in a.slots]", "slot"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "wrong", "right", "hint"), NAMES)
def test_reads_names_in_strings(code: str, wrong: str, right: str, hint: str) -> None:
    [found] = findings(DRAW.format(wrong))
    assert (found.code, found.severity, found.line) == (code, Severity.ERROR, 6)
    assert hint in (found.hint or "")
    assert findings(DRAW.format(right)) == []


UNSURE = [
    DRAW.format("row.operator('tools_of_an_addon.start')"),
    DRAW.format("row.prop(scene, 'settings_of_an_addon')"),
    "class G(bpy.types.PropertyGroup):\n    size: bpy.props.FloatProperty()\n    def f(self): self.siz",
]


@pytest.mark.parametrize("snippet", UNSURE)
def test_what_an_addon_may_add_only_warns(snippet: str) -> None:
    assert [one.severity for one in findings(snippet)] == [Severity.WARNING]


# Code, what means something else since 5.0, and what means the same.
DRIFT = [
    ("property-by-key", "ob['size'] = 2", "ob.size = 2"),
    ("property-by-key", "ob.get('size')", "ob.get('weight')"),
    ("property-by-key", "if 'size' in ob: pass", "if 'weight' in ob: pass"),
    ("property-by-key", "ob.keyframe_insert('[\"size\"]')", "ob.keyframe_insert('size')"),
    ("no-effect-since", "bpy.data.worlds[0].use_nodes = False", "bpy.data.worlds[0].use_nodes = True"),
    ("no-effect-since", "bpy.data.worlds.new('w').color = (1, 0, 0)", "bpy.data.worlds[0].color = (1, 0, 0)"),
    ("no-effect-since", "bpy.data.worlds.new('w').color = (1, 0, 0)", "w = bpy.data.worlds.new('w')\nw.color = (1, 0, 0)\nw.node_tree"),
    ("input-moved", "bpy.data.materials[0].node_tree.nodes.new('ShaderNodeBsdfPrincipled').inputs[1]", "bpy.data.materials[0].node_tree.nodes.new('ShaderNodeBsdfPrincipled').inputs[0]"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "wrong", "right"), DRIFT)
def test_warns_of_silent_drift(code: str, wrong: str, right: str) -> None:
    begin = "bpy.types.Object.size = bpy.props.FloatProperty()\nob = bpy.context.object\n"
    [found] = findings(begin + wrong)
    assert (found.code, found.severity) == (code, Severity.WARNING)
    assert findings(begin + right) == []
    if code != "input-moved":
        assert findings(begin + wrong, OLDER) == []
        assert findings(f"{begin}if bpy.app.version < (5, 0):\n    {wrong}") == []

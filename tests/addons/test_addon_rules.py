"""The rules in files of an add-on: what they repair there, and near twins that they leave alone."""

from __future__ import annotations

import pytest

from app.addons.healing import heal_file, remaining_findings
from app.healing.package import AddonPackage, facts_of, packages
from app.healing.sight import Sight
from app.healing.trouble import Trouble
from ingest.manifest import Manifest

PANEL = "import bpy\nclass P(bpy.types.Panel):\n    bl_space_type = '{}'\n    bl_region_type = 'TOOLS'\n    {}\n"
MENU = "import bpy\nclass M(bpy.types.{}):\n    bl_options = {{{}}}\n    bl_label = 'x'\n"
BOUND = """import bgl, gpu
def draw(shader, one, two):
    bgl.glBindTexture(bgl.GL_TEXTURE_2D, one.bindcode)
    {}
    shader.uniform_int("image", 0)
"""
LOCAL = """import bpy
class A(bpy.types.Operator):
    bl_idname = "a.a"
def register():
    class B(bpy.types.PropertyGroup):
        pass
    bpy.utils.register_module(__name__)
def unregister():
    bpy.utils.unregister_module(__name__)
"""
TWICE = (
    "import bpy\nclass A(bpy.types.Operator):\n    bl_idname = 'x.a'\nclass A(bpy.types.Operator):\n"
    "    bl_idname = '{}'\ndef register():\n    bpy.utils.register_module(__name__)\n"
)
HEALED = {
    "two operators of one name": (TWICE.format("x.b"), "    bpy.utils.register_class(A_1)\n    bpy.utils.register_"),
    "an operator that is defined twice": (TWICE.format("x.a"), "def register():\n    bpy.utils.register_class(A)\n"),
    "items of a class": (MENU.format("Operator", "'UNDO', 'GRAB_POINTER'"), "bl_options = {'UNDO', 'GRAB_CURSOR'}"),
    "type of an operator": (
        "import bpy\nprint(bpy.ops.mesh.delete.get_rna().bl_rna.properties, bpy.types.Mesh.get_rna())\n",
        "print(bpy.ops.mesh.delete.get_rna_type().properties, bpy.types.Mesh.get_rna())",
    ),
    "context": ("def f(context):\n    context.scene.update()\n", "    bpy.context.view_layer.update()\n"),
    "import": (
        "from collections import OrderedDict, Sequence as S\nimport bpy\n",
        "from collections import OrderedDict\nfrom collections.abc import Sequence as S\n",
    ),
    "comment": ("import bgl\nimport bpy\n# bgl.glEnable(bgl.GL_BLEND)\n", "import bpy\n# bgl.glEnable"),
    "comprehension": (
        "import bpy\ntrees = [(s, s.node_tree) for s in bpy.data.scenes]\n",
        "import bpy\ntrees = [(s, s.compositing_node_group) for s in bpy.data.scenes]\n",
    ),
    "asked for nodes": (
        "def f(context):\n    scene = context.scene\n    scene.use_nodes = True\n    scene.node_tree.nodes.clear()\n",
        "    if scene.compositing_node_group is None:\n",
    ),
    "tab in nodes": (PANEL.format("NODE_EDITOR", "bl_category = 'x'"), "bl_region_type = 'UI'"),
    "mixin": (PANEL.format("VIEW_3D", "").replace("(bpy.types.Panel)", ""), "bl_region_type = 'UI'"),
    "property of a mixin": (
        "import bpy\nclass Sized:\n    size = bpy.props.IntProperty()\nclass A(Sized, bpy.types.Operator):\n    pass\n",
        "    size: bpy.props.IntProperty()\n",
    ),
    "spaces before tabs": (
        "import bpy\nscene = bpy.context.scene\nif scene:\n\tif scene.name:\n    \t\tscene.update()\n"
        "\telse:\n\t\tpass\n",
        "\tif scene.name:\n\t\tbpy.context.view_layer.update()\n\telse:\n",
    ),
    "options of a menu": (MENU.format("Menu", "'REGISTER', 'UNDO'"), "Menu):\n    bl_label"),
    "texture": (BOUND.format("pass"), 'shader.uniform_sampler("image", gpu.texture.from_image(one))'),
    "two textures": (
        BOUND.format("bgl.glBindTexture(bgl.GL_TEXTURE_2D, two.bindcode)"),
        "import gpu\ndef draw(shader, one, two):\n    import bgl\n    bgl.glBind",
    ),
    "constants of bgl": ("import bgl, os\nKINDS = {'a': bgl.GL_LINES}\n", "import os\nclass GoneBgl:\n"),
    "drawing by bgl": (
        "import bgl\ndef draw():\n    bgl.glBegin(bgl.GL_TRIANGLE_FAN)\n    bgl.glVertex2f(1, 2)\n    bgl.glEnd()\n",
        'batch_for_shader(gl_shader, "TRIS", {"pos": gl_points}, indices=[(0, i, i + 1) for i',
    ),
    "class in a function": (LOCAL, "    bpy.utils.register_class(A)\n    bpy.utils.register_class(B)\n"),
    "class of a function": (LOCAL, 'unregister_class(bpy.types.PropertyGroup.bl_rna_get_subclass_py("B"))'),
    "class that is registered at import": (
        LOCAL.replace("def register():", "bpy.utils.register_class(A)\ndef register():"),
        "        pass\n    bpy.utils.register_class(B)\n",
    ),
    "class that is unregistered at import": (
        LOCAL.replace(
            "def register():", "if hasattr(A, 'bl_rna'):\n    bpy.utils.unregister_class(A)\ndef register():"
        ),
        "        pass\n    bpy.utils.register_class(A)\n    bpy.utils.register_class(B)\n",
    ),
    "curves that are counted": (
        "import bpy\naction = bpy.data.actions[0]\nprint(len(action.fcurves))\n",
        "len([one for layer in action.layers for strip in layer.strips for bag in strip.channelbags",
    ),
    "curves of an action that may be empty": (
        "import bpy\naction = bpy.data.actions[0]\nif not action.fcurves:\n    print(action)\n",
        "if not [one for layer in action.layers for strip in layer.strips for bag in strip.channelbags",
    ),
    "curve that may be missing": (
        "import bpy\naction = bpy.data.actions[0]\ncurve = action.fcurves.find('location', index=2)\n",
        "for one in bag.fcurves if (one.data_path, one.array_index) == ('location', 2)), None)\n",
    ),
    "textured drawing": (
        "import bgl\ndef draw():\n    bgl.glBegin(bgl.GL_QUADS)\n    bgl.glTexCoord2f(0, 0)\n    bgl.glEnd()\n",
        "def draw():\n    import bgl\n    bgl.glBegin(bgl.GL_QUADS)\n    bgl.glTexCoord2f(0, 0)\n    bgl.glEnd()\n",
    ),
    "curves that are kept": (
        "import bpy\naction = bpy.data.actions[0]\ncurves = action.fcurves\ncurves.clear()\n",
        "curves = action.layers[0].strips[0].channelbag(action.slots[0]).fcurves",
    ),
    "slot": (
        "import bpy\nnode = bpy.data.node_groups['x'].nodes.new('CompositorNodeOutputFile')\n"
        "node.file_slots.remove(node.inputs[0])\n",
        "node.file_output_items.remove(node.file_output_items[0])",
    ),
}
LEFT = {
    "another parameter": "def f(scene):\n    scene.update()\n",
    "import that may fail": "try:\n    from collections.abc import Sequence\nexcept ImportError:\n"
    "    from collections import Sequence\n",
    "bgl in use": "import bgl\nbgl.glFlat(bgl.GL_LINES)\n",
    "bgl of older Blenders": "import bpy\nif bpy.app.version < (3, 0):\n    import bgl\n    bgl.glFlush()\n",
    "what link returned": "import bpy\nbase = bpy.context.scene.objects.link(bpy.context.object)\nbase.layers = 1\n",
    "tool shelf of clips": PANEL.format("CLIP_EDITOR", "bl_category = 'x'"),
    "toolbar without tabs": PANEL.format("NODE_EDITOR", ""),
    "items of another class": MENU.format("Panel", "'GRAB_POINTER'"),
    "option of menus": MENU.format("Menu", "'SEARCH_ON_KEY_PRESS'"),
    "options of an operator": MENU.format("Operator", "'REGISTER', 'UNDO'"),
    "layers by an operator": "import bpy\nbpy.ops.object.move_to_layer(layers=[True] * 20)\n",
    "numbered layers": "import bpy\nbpy.context.object.layers[1] = True\n",
    "layers of bones": "import bpy\nbpy.data.armatures[0].bones[0].layers[1] = True\n",
    "for an older Blender": "import bpy, blf\nversion = bpy.app.version\ndef f():\n    if version < (3, 6, 0):\n"
    "        blf.size(0, 12, 72)\n    else:\n        blf.size(0, 12)\n",
    "region of an older Blender": PANEL.format("VIEW_3D", "").replace(
        "'TOOLS'", "'TOOLS' if bpy.app.version < (2, 80, 0) else 'UI'"
    ),
    "if it is there": "import bpy\nif hasattr(bpy.utils, 'register_module'):\n"
    "    bpy.utils.register_module(__name__)\n",
    "annotations of its own": "import bpy\nclass A(bpy.types.Operator):\n    size = bpy.props.IntProperty()\n"
    "A.__annotations__ = {k: v for k, v in vars(A).items() if isinstance(v, bpy.props._PropertyDeferred)}\n",
    "property of no class that is registered": "import bpy\nclass Kept:\n    size = bpy.props.IntProperty()\n"
    "bpy.types.Scene.size = Kept.size\n",
    "property of a class that is made of another one of its own": "import bpy\nclass A(Kept):\n"
    "    size = bpy.props.IntProperty()\nclass Kept:\n    pass\n",
    "spaces before tabs, and nothing else": "if x:\n\tif y:\n    \t\tz\n\telse:\n\t\tpass\n",
    "node under both names": "def is_glossy(name):\n"
    "    return name == 'ShaderNodeBsdfGlossy' or name == 'ShaderNodeBsdfAnisotropic'\n",
    "images of faces": "import bpy\nfor face in bpy.data.meshes[0].uv_textures.active.data:\n    face.image = None\n",
    "popup": "import bpy\nbpy.ops.wm.call_menu(name='x')\n",
    "colour in a scene of its user": "import bpy\nm = bpy.data.materials.new('x')\nm.diffuse_color = (1, 0, 0, 1)\n",
    "syntax error": "import bpy\nbpy.context.scene.update(\n",
}


def healed(text: str, manifest: Manifest, trouble: Trouble | None = None, guess: bool = False) -> str | None:
    facts = facts_of(text)
    package = packages({"__init__.py": facts} if facts else {}, "shed").get("__init__.py")
    package = package or packages({"a.py": facts_of("x = 1\n")}, "shed")["a.py"]  # type: ignore[dict-item]
    done = heal_file(text, text, manifest, package, trouble, guess=guess)
    return done.snippet if done else None


@pytest.mark.parametrize("name", HEALED)
def test_it_is_repaired(name: str, manifest: Manifest) -> None:
    text, expected = HEALED[name]
    assert expected in (healed(text, manifest) or "")


@pytest.mark.parametrize("name", LEFT)
def test_it_is_left_alone(name: str, manifest: Manifest) -> None:
    assert healed(LEFT[name], manifest) is None


def test_files_are_written_where_the_user_of_an_add_on_wants_them(manifest: Manifest) -> None:
    text = "import bpy\ndef save():\n    open('/home/me/a.txt', 'w').close()\n"
    said = "PermissionError: [Errno 13] Permission denied: '/home/me/a.txt'"
    assert healed(text, manifest, Trouble(3, said)) is None


def test_an_operator_that_is_built_in_stays_and_the_add_on_s_own_is_another(manifest: Manifest) -> None:
    text = "import bpy\nclass A(bpy.types.Operator):\n    bl_idname = 'object.join'\nbpy.utils.register_class(A)\n"
    for said, helps in (("could not be unregistered", True), ("has no label", False)):
        trouble = Trouble(4, f"RuntimeError: Error: Registering operator class: 'A', bl_idname 'object.join' {said}")
        assert ("bl_idname = 'object.join_of_addon'" in (healed(text, manifest, trouble, guess=True) or "")) == helps


def test_a_property_that_nothing_registers_is_not_removed(manifest: Manifest) -> None:
    text = "import bpy\ndef unregister():\n    del bpy.types.Scene.shed\n    print(bpy)\n"
    said = Trouble(3, "AttributeError: type object 'Scene' has no attribute 'shed'")
    assert healed(text, manifest, said, guess=True) == text.replace("    del bpy.types.Scene.shed\n", "")
    twin = text + "bpy.types.Scene.shed = bpy.props.IntProperty()\n"
    assert healed(twin, manifest, said, guess=True) is None and healed(text, manifest, said) is None


def test_what_is_left_is_told_with_its_line(manifest: Manifest) -> None:
    def left(text: str, *others: str) -> list[tuple[int, str]]:
        files = {"__init__.py": text, **{f"{number}.py": other for number, other in enumerate(others)}}
        facts = {path: found for path, one in files.items() if (found := facts_of(one))}
        package = packages(facts, "shed").get("__init__.py") or packages(facts, "shed")["0.py"]
        return [(one.line, one.message) for one in remaining_findings(text, manifest, package)]

    text = "import bpy\nbpy.context.scene.layers = 3\n"
    (found,) = left(text)
    assert found[0] == 2 and "Scene.layers" in found[1]
    assert left(text, "import bpy\nbpy.types.Scene.layers = bpy.props.IntProperty()\n") == []
    assert left("x = (\n", "y = 1\n")[0][1].startswith("This is not Python")


def test_a_module_that_other_files_borrow_stays_imported(manifest: Manifest) -> None:
    lender, borrower = "import bgl\nimport bpy\n", "from .lender import *\ndef draw():\n    {}\n"
    for use, stays in (("bgl.glBegin(bgl.GL_LINES)", True), ("pass", False), ("bgl = 1; bgl.x", False)):
        texts = {"__init__.py": "from . import borrower\n", "lender.py": lender, "borrower.py": borrower.format(use)}
        seen = packages({path: found for path, text in texts.items() if (found := facts_of(text))}, "shed")
        done = heal_file(lender, lender, manifest, seen["lender.py"])
        assert (done is None) == stays, use


def test_a_panel_of_another_file_keeps_its_name_and_the_later_one_gets_its_own(manifest: Manifest) -> None:
    panel = "import bpy\nclass {}(bpy.types.Panel):\n    bl_idname = 'X_PT_x'\n    bl_space_type = '{}'\n"
    texts = {
        "__init__.py": "from . import a, b\n",
        "a.py": panel.format("X_PT_a", "VIEW_3D"),
        "b.py": panel.format("X_PT_b", "PROPERTIES"),
    }
    seen = packages({path: found for path, text in texts.items() if (found := facts_of(text))}, "shed")
    done = {path: heal_file(text, text, manifest, seen[path]) for path, text in texts.items()}
    assert [path for path, one in done.items() if one] == ["b.py"]
    assert done["b.py"] and "bl_idname = 'X_PT_b'" in done["b.py"].snippet


def test_a_class_of_another_module_is_a_base_like_those_of_blender(manifest: Manifest) -> None:
    """Where a module of the add-on has the base, and where it is no class of Blender's."""
    text = "from .base import Base\nclass A(Base):\n    size = bpy.props.IntProperty()\n"
    for base, expected in (("bpy.types.Operator", "    size: bpy.props.IntProperty()"), ("object", None)):
        facts = {"__init__.py": facts_of("from . import a\n"), "a.py": facts_of(text)}
        facts["base.py"] = facts_of(f"import bpy\nclass Base({base}):\n    pass\n")
        package = packages({path: one for path, one in facts.items() if one}, "shed")["a.py"]
        done = heal_file(text, text, manifest, package, None)
        assert (done.snippet.splitlines()[2] if done else None) == expected


@pytest.mark.parametrize(("line", "readings"), [("bpy.data.wobbles", 1), ("bpy.data.lamps", 2)])
def test_a_file_is_read_anew_only_if_it_was_changed(
    line: str, readings: int, manifest: Manifest, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(text: str, *rest: object) -> Sight:
        read.append(text)
        return Sight(text, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("app.healing.heal.Sight", counted)
    text, alone = f"import bpy\nprint({line})\n", AddonPackage("", False, None, {})
    heal_file(text, text, manifest, alone, Trouble(2, "AttributeError: none"), guess=True)
    assert len(read) == readings

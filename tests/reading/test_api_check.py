"""The API check: what it must reject, the near twin that it must accept, and code on which it must keep silent."""

# ruff: noqa: E501
# Twins are side by side, one pair per line, so that readers see the difference.

from __future__ import annotations

import time
from pathlib import Path

import pytest

from app.reading import addresses_used, check_api
from app.reading.nearest import misspelt, nearest
from app.verdict.rules import load_rules
from app.verdict.verdict import Finding, Severity
from ingest.manifest import Manifest
from tests.small_manifest import small_manifest

RULES = load_rules()
SMALL = small_manifest()

BEGIN = """\
import bpy, bmesh
from mathutils import Vector
obj = bpy.context.object
scene = bpy.context.scene
mat = bpy.data.materials.new("m")
nodes = mat.node_tree.nodes
"""


def findings(snippet: str, manifest: Manifest = SMALL) -> list[Finding]:
    return check_api(BEGIN + snippet, manifest, lambda code: RULES.severity("api", code, "caller"))


def codes(snippet: str, manifest: Manifest = SMALL) -> list[str]:
    return [finding.code for finding in findings(snippet, manifest)]


# Code, what must be rejected, its twin that must be accepted, and a word of the hint.
TWINS = [
    ("unknown-operator", "bpy.ops.mesh.primitive_cub_add()", "bpy.ops.mesh.primitive_cube_add()", "primitive_cube_add"),
    ("unknown-argument", "bpy.ops.mesh.primitive_cube_add(sise=1)", "bpy.ops.mesh.primitive_cube_add(size=1)", "size"),
    ("positional-argument", "bpy.ops.mesh.primitive_cube_add(2.0)", "bpy.ops.mesh.primitive_cube_add('EXEC_DEFAULT', True)", "size"),
    ("positional-argument", "bpy.ops.mesh.primitive_cube_add('EXEC_DEFAUL')", "bpy.ops.mesh.primitive_cube_add('EXEC_DEFAULT')", "EXEC_DEFAULT"),
    ("unknown-enum-item", "bpy.ops.mesh.primitive_cube_add(align='WRLD')", "bpy.ops.mesh.primitive_cube_add(align='WORLD')", "WORLD"),
    ("wrong-type", "bpy.ops.mesh.primitive_cube_add(location=(0, 0))", "bpy.ops.mesh.primitive_cube_add(location=(0, 0, 0))", ""),
    ("unknown-identifier", "scene.render.engine = 'CYCLE'", "scene.render.engine = 'CYCLES'", "CYCLES"),
    ("unknown-identifier", "obj.modifiers.new('x', 'SUBSURFF')", "obj.modifiers.new('x', 'SUBSURF')", "SUBSURF"),
    ("unknown-identifier", "bpy.data.lights.new('x', type='LAMP')", "bpy.data.lights.new('x', type='SUN')", "SUN"),
    ("unknown-enum-item", "obj.modifiers.new('x', 'SUBSURF').flags = {'A', 'C'}", "obj.modifiers.new('x', 'SUBSURF').flags = {'A', 'B'}", ""),
    ("wrong-type", "class O(bpy.types.Operator):\n    def execute(self, context): return 'FINISHED'", "class O(bpy.types.Operator):\n    def execute(self, context): return {'FINISHED'}\n    def word(self): return 'FINISHED'", ""),
    ("unknown-enum-item", "class O(bpy.types.Operator):\n    def execute(self, context): return {'FINISH'}", "class O(bpy.types.Operator):\n    def execute(self, context):\n        def end(): return {'FINISH'}\n        return {'CANCELLED'} if end() else {'FINISHED'}", "FINISHED"),
    ("never-true", "if obj.type == 'MESHH': pass", "if obj.type == 'MESH': pass", "MESH"),
    ("never-true", "x = obj.type in {'MESHH'}", "x = obj.type in {'MESHH', 'MESH'} if 0 else obj.type in ('MESH',)", ""),
    ("unknown-node-type", "nodes.new('ShaderNodeBsdfPrincipld')", "nodes.new(type='ShaderNodeBsdfPrincipled')", "ShaderNodeBsdfPrincipled"),
    ("wrong-tree", "nodes.new('CompositorNodeBlur')", "bpy.data.x.nodes.new('CompositorNodeBlur') if 0 else nodes.clear()", ""),
    ("unknown-socket", "nodes.new('ShaderNodeBsdfPrincipled').inputs['Rougness']", "nodes.new('ShaderNodeBsdfPrincipled').inputs['Roughness']", "Roughness"),
    ("unknown-socket", "nodes.new('ShaderNodeBsdfPrincipled').inputs[3]", "nodes.new('ShaderNodeBsdfPrincipled').inputs[0]", "name"),
    ("unknown-socket", "n = nodes.new('ShaderNodeTexNoise')\nn.inputs['W']", "n = nodes.new('ShaderNodeTexNoise')\nn.noise_dimensions = '4D'\nn.inputs['W']", "noise_dimensions"),
    ("wrong-type", "nodes.new('ShaderNodeBsdfPrincipled').inputs['Base Color'].default_value = (1, 0, 0)", "nodes.new('ShaderNodeBsdfPrincipled').inputs['Base Color'].default_value = (1, 0, 0, 1)", ""),
    ("unknown-attribute", "m = obj.modifiers.new('x', 'BEVEL')\nm.widht = 1", "m = obj.modifiers.new('x', 'BEVEL')\nm.width = 1", "width"),
    ("unknown-attribute", "obj.locaton = (0, 0, 0)", "obj.location = (0, 0, 0)", "location"),
    ("unknown-attribute", "for o in bpy.data.objects:\n    o.locaton", "for o in bpy.data.objects:\n    o.location", "location"),
    ("unknown-attribute", "[o.locaton for o in bpy.context.selected_objects]", "[o.location for o in bpy.context.selected_objects]", "location"),
    ("unknown-attribute", "bpy.data.light", "bpy.data.lights", "lights"),
    ("unknown-attribute", "obj.location.normalised()", "obj.location.normalized()", "normalized"),
    ("unknown-attribute", "bmesh.new().verts.ensure_lookup_tabel()", "bmesh.new().verts.ensure_lookup_table()", "ensure_lookup_table"),
    ("too-many-arguments", "obj.select_set(True, False)", "obj.select_set(True)", "state"),
    ("unknown-argument", "obj.select_set(stat=True)", "obj.select_set(state=True)", "state"),
    ("missing-argument", "obj.modifiers.new('x')", "obj.modifiers.new(*['x', 'BEVEL'])", "type"),
    ("unknown-argument", "obj.keyframe_insert('location', frme=2)", "obj.keyframe_insert('location', frame=2)", "frame"),
    ("unknown-argument", "bmesh.ops.create_cube(bmesh.new(), sise=2)", "bmesh.ops.create_cube(bmesh.new(), size=2)", "size"),
    ("too-many-arguments", "bmesh.ops.create_cube(bmesh.new(), 2)", "bmesh.ops.create_cube(bmesh.new())", "size"),
    ("unknown-name", "bmesh.ops.create_cub", "bmesh.ops.create_cube", "create_cube"),
    ("unknown-name", "bpy.app.handlers.load_pst", "bpy.app.handlers.load_post", "load_post"),
    ("unknown-name", "from mathutils import Vectr", "from mathutils import Vector", "Vector"),
    ("unknown-type", "bpy.types.Objct", "bpy.types.Object", "Object"),
    ("unknown-type", "def f(x: bpy.types.Objct): pass", "def f(x: bpy.types.Object): pass", "Object"),
    ("read-only", "obj.type = 'MESH'", "obj.name = 'MESH'", ""),
    ("read-only", "obj.modifiers = []", "obj.modifiers.new('x', 'BEVEL')", "new"),
    ("read-only", "obj.select_set = True", "obj.select_set(True)", "Call"),
    ("wrong-type", "obj.name = 3", "obj.name = str(3)", ""),
    ("wrong-type", "obj.pass_index = 1.5", "obj.pass_index = True", ""),
    ("wrong-type", "obj.pass_index = obj.pass_index / 2", "obj.pass_index = obj.pass_index // 2", ""),
    ("wrong-type", "obj.pass_index = 1.0 * len(bpy.data.objects)", "obj.pass_index = 2 * len(bpy.data.objects)", ""),
    ("wrong-type", "obj.pass_index = 'one'", "obj.pass_index = 1", ""),
    ("wrong-type", "obj.hide_render = 2", "obj.hide_render = 1", ""),
    ("wrong-type", "obj.location = (0, 0)", "obj.location = [0] * 3", ""),
    ("wrong-type", "obj.location = 2", "obj.location = Vector()", ""),
    ("wrong-type", "obj.color = (1, 0, 'x', 1)", "obj.color = (1, 0, 0, 1)", ""),
    ("wrong-type", "obj.parent = 'Cube'", "obj.parent = None", ""),
    ("wrong-type", "scene.camera = bpy.data.lights[0]", "scene.camera = bpy.data.objects[0]", ""),
    ("out-of-range", "obj.pass_index = -1", "obj.pass_index = 0", "0"),
    ("removed", "scene.objects.link(obj)", "scene.objects.get('x')", "collection"),
    ("removed", "obj.select = True", "obj.select_set(True)", "select_set"),
    ("removed", "nodes.new('ShaderNodeBsdfPrincipled').inputs['Emission']", "nodes.new('ShaderNodeBsdfPrincipled').inputs['Emission Color']", "Emission Color"),
    ("removed", "scene.render.engine = 'BLENDER_EEVEE_NEXT'", "scene.render.engine = 'BLENDER_EEVEE'", "BLENDER_EEVEE"),
    ("removed", "obj.data.use_auto_smooth = True", "obj.data.vertices", "shade_smooth"),
    ("removed", "bpy.types.INFO_MT_mesh_add.append(print)", "bpy.types.VIEW3D_MT_mesh_add.append(print)", "VIEW3D_MT_mesh_add"),
    ("removed", "bpy.ops.mesh.primitive_cube_add(radius=1)", "bpy.ops.mesh.primitive_cube_add(**{'size': 2})", "size"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "wrong", "right", "hint"), TWINS)
def test_rejects_the_wrong_and_accepts_its_twin(code: str, wrong: str, right: str, hint: str) -> None:
    found = findings(wrong)
    assert code in [finding.code for finding in found]
    assert hint in (next(finding for finding in found if finding.code == code).hint or "")
    assert codes(right) == []


SILENT = [
    # What a walrus, a guard or a suppressed exception leaves in a name is not known.
    'kind = "FOO"\n[1 for x in ["SUN"] if (kind := x)]\nbpy.data.lights.new("a", kind)',
    'kind = "FOO"\nmatch 1:\n    case _ if (kind := "SUN"):\n        pass\nbpy.data.lights.new("a", kind)',
    'from contextlib import suppress\nkind = "FOO"\nwith suppress(ValueError):\n    kind = "SUN"\n    raise ValueError\n'
    'bpy.data.lights.new("a", kind)',
    'match bpy.app.version[0]:\n    case 4:\n        bpy.context.scene.render.engine = "BLENDER_EEVEE_NEXT"\n    case _:\n        pass',
    # It cannot know.
    "def f(x): x.locaton; x.modifiers.new('a', 'NOPE'); x.inputs['No']",
    "x = foo()\nx.locaton = 1",
    "x = obj if foo() else bar()\nx.locaton",
    "x = obj\nfor i in range(3):\n    x.locaton if i == 9 and 0 else None\n    x = foo()",
    "obj.modifiers.new('x', foo())",
    "obj.modifiers.new('x', f'{obj.name}')",
    "obj.modifiers[0].width = 1; obj.modifiers['x'].levels = 2",
    "obj.data.energy = 3",
    "obj['anything'] = 1; obj.get",
    "bpy.data.objects.update(); obj.modifiers.id_data",
    "for m in obj.modifiers:\n    if m.type == 'BEVEL': pass\n    if m.name == 'x': m.levels = 2",
    "nodes['x'].inputs[0]\nfor n in nodes:\n    if n.type == 'BSDF_PRINCIPLED': n.inputs['Roughness']\n    n.inputs['W']",
    "nodes['Some Node'].inputs['Anything']",
    "for n in nodes: n.inputs['Anything'].default_value = 1",
    "getattr(obj, 'locaton')",
    "setattr(obj, 'locaton', 1)\nobj.locaton",
    "bpy.context.something_of_an_editor",
    "bpy.types.VIEW3D_PT_tools",
    "l = bpy.data.lights.new('x', 'SUN')\nl.type = 'POINT'\nl.shadow_soft_size = 1",
    # It is one of several, and one of them is right.
    "kind = 'BEVEL' if foo() else 'NOPE'\nobj.modifiers.new('x', kind)",
    "for kind in ('NOPE', 'BEVEL'): obj.modifiers.new('x', kind)",
    "x = bpy.data.lights.new('a', 'SUN') if foo() else bpy.data.lights.new('b', 'POINT')\nx.angle = 1",
    "x = None\nif foo(): x = obj\nif x: x.location",
    # Guards.
    "if bpy.app.version < (4, 0, 0):\n    scene.objects.link(obj)",
    "old = bpy.app.version < (2, 80)\nif old:\n    obj.select = True\nelse:\n    obj.select_set(True)",
    "def is_old(): return bpy.app.version[0] < 3\nif is_old():\n    obj.select = True",
    "if bpy.app.version_string.startswith('2'):\n    obj.select = True",
    "if hasattr(scene.eevee, 'use_bloom'):\n    scene.eevee.use_bloom = True\n    scene.eevee.bloom_radius = 1",
    "try:\n    obj.select = True\nexcept AttributeError:\n    obj.select_set(True)",
    "try:\n    obj.select_set(True)\nexcept AttributeError:\n    obj.select = True",
    "import contextlib\nwith contextlib.suppress(Exception):\n    obj.select = True",
    "p = nodes.new('ShaderNodeBsdfPrincipled')\nif 'Emission' in p.inputs:\n    p.inputs['Emission'].default_value = (1, 1, 1, 1)",
    "p = nodes.new('ShaderNodeBsdfPrincipled')\nx = p.inputs.get('Emission') or p.inputs['Emission Color']",
    "def f():\n    if not hasattr(foo, 'x'): return\n    obj.select = True",
    "bpy.app.version >= (3, 0) or scene.objects.link(obj)",
    "def f():\n    for o in foo():\n        if not hasattr(foo, 'x'): continue\n        obj.select = True",
    "HAS = hasattr(foo, 'x')\nif HAS:\n    obj.select = True",
    "def new(): return foo() and hasattr(foo, 'x')\ndef f():\n    if new(): return\n    obj.select = True",
    "try:\n    import thing\nexcept ImportError:\n    thing = None\nif thing is None:\n    obj.select = True",
    # What the snippet itself registers.
    "bpy.types.Object.my_size = 3\nobj.my_size = 4",
    "class P(bpy.types.PropertyGroup):\n    size: int\nobj.size",
    "class O(bpy.types.Operator):\n    bl_idname = 'mesh.my_cube'\n    def execute(self, context):\n        self.anything = 1\nbpy.ops.mesh.my_cube(size=3)",
    "class N(bpy.types.Node):\n    bl_idname = 'MyNode'\nnodes.new('MyNode')",
    "class Mine: pass\nbpy.types.Mine",
    # Names that change.
    "x = obj\ndef f():\n    global x\n    x = foo()\ndef g():\n    x.locaton",
    "x = obj\nwhile foo():\n    if bar(): x.location\n    x = foo()\nx.locaton",
    "try:\n    x = obj\n    x = foo()\nexcept ZeroDivisionError:\n    x.locaton",
    "match foo():\n    case obj: obj.locaton",
    "with open('x') as obj: obj.locaton",
    "obj, other = foo()\nobj.locaton",
    "lambda obj: obj.locaton",
    "obj.location = [*foo()]; obj.location = (1, *foo())",
    "def f(*, obj=None): obj.locaton",
]


@pytest.mark.parametrize("snippet", SILENT)
def test_says_nothing_where_it_cannot_know(snippet: str) -> None:
    assert codes(snippet) == []


SPELLINGS = [
    "import bpy as b\nb.ops.mesh.primitive_cub_add()",
    "from bpy import ops\nops.mesh.primitive_cub_add()",
    "mesh = bpy.ops.mesh\nmesh.primitive_cub_add()",
    "C = bpy.context\nC.object.locaton",
    "D = bpy.data\nD.objects['x'].locaton",
    "o = D = bpy.data.objects.get('x')\no.locaton",
    "if (o := bpy.context.object): o.locaton",
    "(o, n), k = (obj, 1), 2\no.locaton",
    "def make(): return bpy.data.objects.new('x', None)\nmake().locaton",
    "def f(o: bpy.types.Object): o.locaton",
    "def f(o: 'bpy.types.Object | None'): o.locaton",
    "class O(bpy.types.Operator):\n    def execute(self, context): context.object.locaton",
    "class P(bpy.types.Panel):\n    def draw(self, context): self.layout.labl(text='x')",
    "for i, o in enumerate(bpy.data.objects): o.locaton",
    "for k, o in bpy.data.objects.items(): o.locaton",
    "def f():\n    return obj.locaton",
    "if bpy.app.version >= (4, 0):\n    obj.locaton",
    "for x in foo():\n    if not hasattr(x, 'y'): continue\nobj.locaton",
    "HAS = hasattr(foo, 'x')\nHAS = bar()\nif HAS: obj.locaton",
    "bpy.types.Scene.mine = 1\ndef f():\n    if not hasattr(scene, 'mine'): return\n    obj.locaton",
    "for m in obj.modifiers:\n    if m.type == 'BEVEL': m.widht = 1",
    "MODE = 'NOPE'\nobj.modifiers.new('x', MODE)",
    "n = next((n for n in nodes if n.type == 'BSDF_PRINCIPLED'), None)\nn.inputs['Rougness']",
    "from bpy.types import *\nfrom bpy.types import Object\ndef f(o: Object): o.locaton",
]


@pytest.mark.parametrize("snippet", SPELLINGS)
def test_sees_through_spellings(snippet: str) -> None:
    assert [finding.severity for finding in findings(snippet)] == [Severity.ERROR]


LAYERS = "def f(layers: bpy.types.CompositorNodeRLayers):\n    layers.outputs[{}]\n"
LIKELY = [
    # The start scene may have turned the pass on.
    (LAYERS.format("'Depth'"), "likely-unknown-socket"),
    (LAYERS.format("'CryptoObject00'"), "likely-unknown-socket"),
    (LAYERS.format("7"), "likely-unknown-socket"),
    ("nodes['Principled BSDF'].inputs['Rougness']", "likely-unknown-socket"),
    ("nodes.get('Principled BSDF').inputs['Emission'].default_value = (1, 1, 1, 1)", "likely-removed"),
    ("bpy.context.selected_object", "likely-unknown-attribute"),
    ("obj.tag_of_an_addon", "likely-unknown-attribute"),
    ("nodes.new('ThingOfAnAddon')", "likely-unknown-node-type"),
    ("bpy.ops.mesh.landscape_of_an_addon()", "likely-unknown-operator"),
]


@pytest.mark.parametrize(("snippet", "code"), LIKELY)
def test_what_is_likely_never_blocks(snippet: str, code: str) -> None:
    assert [(finding.code, finding.severity) for finding in findings(snippet)] == [(code, Severity.WARNING)]


@pytest.mark.parametrize(
    "turned_on",
    [
        "bpy.context.view_layer.use_pass_z = True",
        "for name in ('use_pass_z',):\n    setattr(bpy.context.view_layer, name, True)",
        "bpy.context.view_layer.aovs.add().name = 'Mask'",
        "bpy.context.view_layer.cycles.denoising_store_passes = True",
    ],
)
def test_the_outputs_of_render_layers_are_those_of_the_passes(turned_on: str) -> None:
    said = findings(LAYERS.format("'Depth'") + turned_on)
    assert [finding for finding in said if "socket" in finding.code] == []


def test_a_finding_names_place_and_symbol() -> None:
    [finding] = check_api("import bpy\nbpy.context.object.locaton = 1", SMALL, lambda _: Severity.ERROR)
    assert (finding.check, finding.line, finding.column) == ("api", 2, 20)
    assert finding.symbol == "bpy.types.Object"
    assert finding.hint == "Did you mean `location`?"


def test_a_column_counts_characters() -> None:
    [finding] = check_api("import bpy\n'ä'; bpy.context.object.locaton", SMALL, lambda _: Severity.ERROR)
    assert (finding.line, finding.column) == (2, 25)


def test_a_change_is_told_only_of_a_build_that_has_it_behind_it() -> None:
    older = small_manifest("2.79.0")
    assert codes("scene.objects.link(obj)", older) == ["unknown-attribute"]


def test_a_dropped_code_is_not_reported() -> None:
    assert check_api("import bpy\nbpy.data.foo", SMALL, lambda _: None) == []


@pytest.mark.parametrize(
    "snippet", ["def", "", "x = " + "(" * 50 + ")" * 50, "a" + ".b" * 900, "x = " + "-" * 80 + "1"]
)
def test_never_raises(snippet: str) -> None:
    assert check_api(snippet, SMALL, lambda _: Severity.ERROR) == []


def test_nested_loops_are_read_in_good_time() -> None:
    depth = 18
    loops = "".join(f"{'  ' * level}for x{level} in bpy.data.objects:\n" for level in range(depth))
    # The time of this process alone, so that other work of the machine is not measured.
    started = time.process_time()
    found = codes(loops + "  " * depth + "x0.locaton")
    assert found == ["unknown-attribute"]
    assert time.process_time() - started < 1


def test_addresses_used_in_order_and_once() -> None:
    snippet = (
        "bpy.ops.mesh.primitive_cube_add(size=2)\n"
        "m = obj.modifiers.new('x', 'BEVEL')\n"
        "m.width = 1\nm.name = 'y'\nm.width = 2\n"
        "unknown.thing\nobj.modifiers[0].width\n"
        "v = Vector()\nv.normalized()\n"
        "bmesh.ops.create_cube(bmesh.new())\n"
    )
    used = addresses_used(BEGIN + snippet, SMALL)
    assert used[used.index("bpy.ops.mesh.primitive_cube_add") :] == [
        "bpy.ops.mesh.primitive_cube_add",
        "bpy.types.Object.modifiers",
        "bpy.types.ObjectModifiers.new",
        "bpy.types.BevelModifier",
        "bpy.types.BevelModifier.width",
        "bpy.types.Modifier.name",
        "mathutils.Vector.normalized",
        "bmesh.ops.create_cube",
        "bmesh.new",
    ]
    assert "mathutils.Vector" in used
    assert len(used) == len(set(used))


def test_nearest_prefers_what_is_nearest() -> None:
    assert nearest("widht", ["width", "height", "segments"]) == ["width"]
    assert nearest("Emission", ["Emission Strength", "Emission Color", "Alpha"]) == [
        "Emission Color",
        "Emission Strength",
    ]
    assert nearest("zzz", ["width"]) == []
    # Most letters are the same, and one word is another.
    assert nearest("unified_paint_settings", ["curve_paint_settings"]) == []
    assert nearest("unifeid_paint_settings", ["unified_paint_settings"]) == ["unified_paint_settings"]


@pytest.mark.parametrize(("name", "near", "other"), [("scael", "scale", "scaled"), ("colro", "color", "cool")])
def test_two_swapped_letters_are_a_typing_error(name: str, near: str, other: str) -> None:
    assert misspelt(name, [near])
    assert not misspelt(name, [other])


ITS_FAULT = "'OPERATOR_CANCELLED' is not an item of `Operator.execute(result)`"
"""A fault of Blender's own, up to 5.0.1 at least: the line raises if it is reached."""


@pytest.mark.blender
@pytest.mark.parametrize("folder", ["templates_py", "startup/bl_operators", "startup/bl_ui"])
def test_blenders_own_scripts_pass(manifest: Manifest, folder: str) -> None:
    files = sorted(Path(manifest.templates).parent.glob(f"{folder}/*.py"))
    assert files
    errors = [
        (file.name, one.message)
        for file in files
        for one in own(file.read_text(encoding="utf-8"), manifest)
        if one.severity is Severity.ERROR
    ]
    assert [(name, said) for name, said in errors if not (name == "anim.py" and ITS_FAULT in said)] == []


def own(snippet: str, manifest: Manifest) -> list[Finding]:
    return check_api(snippet, manifest, lambda code: RULES.severity("api", code, "caller"))


@pytest.mark.blender
@pytest.mark.parametrize(
    "wrong",
    [
        "bpy.ops.mesh.primitive_uv_spher_add()",
        "bpy.context.object.modifiers.new('x', 'BEVEL').widht = 1",
        "bpy.data.materials.new('m').node_tree.nodes.new('ShaderNodeTexMusgrave')",
        "bpy.data.materials.new('m').node_tree.nodes.new('ShaderNodeBsdfPrincipled').inputs['Specular']",
        "bpy.context.scene.render.engine = 'BLENDER_EEVEE_NEXT'",
        "bpy.context.scene.node_tree.nodes.clear()",
        "bpy.data.meshes.new('m').use_auto_smooth = True",
        "bpy.props.FloatProperty(nam='x')",
        "bpy.context.scene.frame_set(bpy.context.scene.frame_end / 2)",
    ],
)
def test_real_faults_are_found(manifest: Manifest, wrong: str) -> None:
    if manifest.series != "5.0":
        pytest.skip("written for Blender 5.0")
    assert [finding.severity for finding in own(f"import bpy\n{wrong}", manifest)] == [Severity.ERROR]


@pytest.mark.blender
@pytest.mark.parametrize(
    ("kind", "moved", "kept", "said"),
    [
        ("CompositorNodeAlphaOver", 1, 4, "'Foreground' since Blender 5.0, and was 'Background' before"),
        ("CompositorNodeSplit", 0, 3, "'Position' since Blender 5.0, and was another one before"),
        ("GeometryNodeTransform", 3, 0, "'Rotation' since Blender 5.0, and was 'Scale' before"),
        ("GeometryNodeCurveToMesh", 2, 1, "'Scale' since Blender 4.5, and was 'Fill Caps' before"),
        ("ShaderNodeTexNoise", 5, 4, "'Lacunarity' since Blender 4.2, and was 'Distortion' before"),
    ],
)
def test_a_number_that_another_input_has_now_is_told(
    manifest: Manifest, kind: str, moved: int, kept: int, said: str
) -> None:
    if manifest.series != "5.0":
        pytest.skip("written for Blender 5.0")
    tree = f"{kind.partition('Node')[0]}NodeTree"
    line = f"import bpy\nbpy.data.node_groups.new('g', '{tree}').nodes.new('{kind}').inputs[{{}}]"
    [found] = own(line.format(moved), manifest)
    assert (found.code, found.severity) == ("input-moved", Severity.WARNING)
    assert said in found.message
    assert own(line.format(kept), manifest) == []


def test_a_snippet_with_thousands_of_wrong_names_is_read_in_bounded_time() -> None:
    """Names are told as missing up to a bound; what may have been meant is looked up for the first of them only."""
    text = "import bpy\n" + "".join(f"bpy.types.Wrong{number}Name\n" for number in range(300))
    found = check_api(text, SMALL, lambda code: Severity.ERROR)
    assert {one.code for one in found[:200]} == {"likely-unknown-type"}
    assert [(one.code, one.severity) for one in found[200:]] == [("left-out", Severity.INFO)]


def test_a_number_of_thousands_of_digits_is_spoken_of() -> None:
    found = check_api(f"import bpy\nbpy.context.scene.name = 0x{'f' * 5000}\n", SMALL, lambda code: Severity.ERROR)
    assert [one.code for one in found] == ["wrong-type"]

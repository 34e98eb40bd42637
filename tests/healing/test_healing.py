"""The rules that repair a snippet: each repairs its pair in `tests/healing_pairs` and leaves near twins alone."""

# ruff: noqa: E501
# One twin per line, so that readers see what each is about.

from __future__ import annotations

import functools
import json
import re
import textwrap
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
import structlog

from app.healing.edits import TreeEdit, apply_changes
from app.healing.heal import HealedSnippet, heal_by_rules, repeats_better
from app.healing.rule import Rule
from app.healing.rules import FAMILIES, RULES
from app.healing.sight import Sight
from app.healing.trouble import Addition, Repetition, Trouble, repetition_of
from app.reading import check_api
from app.verdict.rules import load_rules
from app.verdict.verdict import STAGES, Finding, Severity, Verdict, judged, make_verdict
from harness.blenders import Blender
from ingest.manifest import Manifest, read_manifest
from tests.fixtures import HOME
from tests.healing.executed import Raised, execute_all, execute_twice, finding_of
from tests.small_manifest import small_manifest
from tests.verdicts import PASSED, failing

PAIRS = Path(__file__).parents[1] / "healing_pairs"
DOCS = Path(__file__).parents[2] / "docs" / "healing-rules.md"
RAISED: dict[str, Raised] = json.loads((PAIRS / "raised.json").read_text())
"""What each `.before.py` raises on 5.0.1; null if it only looks wrong, or raises only when it is used."""

REPEATS: dict[str, Any] = json.loads((PAIRS / "repeats.json").read_text())
"""What a second execution of each `.before.py` of a rule for repetitions adds and raises on 5.0.1."""

TOLD = {
    "default-names": ['KeyError: key "Subsurf" not found; there are: "Subdivision"'],
    "not-linked": ['object "Shed" is in no collection of the scene, so nothing shows it and saving drops it'],
}
"""What else is found on a pair's first half."""

AGED = {rule.name for rule in RULES if rule.before}
"""Rules that are asked only where another one shows how old the snippet is: their pairs fail because of that one."""

SMALL = small_manifest()
_RULES = load_rules()


@pytest.fixture(scope="session")
def manifest() -> Manifest:
    """The manifest of Blender 5.0, if one was dumped."""
    files = sorted((HOME / "manifests").glob("5.0.*.json"))
    if not files:
        pytest.skip("the API of Blender 5.0 was not dumped; run `make setup`")
    return _read(files[-1])


@functools.cache
def _read(file: Path) -> Manifest:
    return read_manifest(file)


def verdict(text: str, raised: Raised, manifest: Manifest, *messages: str) -> Verdict:
    """The verdict of a text that raised this, with the remarks of the API check and of ruff."""
    api = check_api(text, manifest, lambda code: _RULES.severity("api", code, "caller"))
    lint = [Finding(check="ruff", code="F821", severity=Severity.ERROR, message=message) for message in messages]
    found: dict[str, list[Finding]] = {"api": api, "lint": lint, "execute": [finding_of(raised)] if raised else []}
    return make_verdict([judged(name, found.get(name, [])) for name in STAGES], {})


def repetition(rule: str) -> Repetition | None:
    """The second execution of a pair's first half, as it was recorded."""
    told = REPEATS.get(rule)
    evidence = {"evidence": {"repeat": told}, "claims": {"repeat_exception": told["exception"]}} if told else None
    return repetition_of(evidence)


def pair(rule: str) -> tuple[str, str]:
    return (PAIRS / f"{rule}.before.py").read_text(), (PAIRS / f"{rule}.after.py").read_text()


def test_every_rule_has_its_pair_and_a_name_of_its_own() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert {file.name.split(".")[0] for file in PAIRS.glob("*.py")} == set(names) == RAISED.keys()


@pytest.mark.parametrize("rule", [rule.name for rule in RULES])
def test_a_rule_repairs_its_pair_and_finds_nothing_more(rule: str, manifest: Manifest) -> None:
    before, after = pair(rule)
    found = verdict(before, RAISED[rule], manifest, *TOLD.get(rule, []))
    healed = heal_by_rules(before, found, manifest, repetition=repetition(rule))
    assert healed is not None
    assert healed.snippet == after
    assert rule in healed.rules
    guesses = {one.name for one in RULES if one.guess}
    assert all(("guess" in repair.reason) == (repair.rule in guesses) for repair in healed.faults)
    assert heal_by_rules(after, verdict(after, None, manifest), manifest) is None


@pytest.mark.blender
def test_what_the_pairs_say_is_so(blender: Blender, manifest: Manifest) -> None:
    """Every `before` fails as recorded, but for those that only look wrong; every `after` runs."""
    if blender.version != manifest.version or blender.kind != "module":
        pytest.skip("what the pairs raise is recorded for the wheel of Blender 5.0")
    names = [rule.name for rule in RULES]
    results = execute_all([text for name in names for text in pair(name)], blender)
    befores = dict(zip(names, results[::2], strict=True))
    afters = dict(zip(names, results[1::2], strict=True))
    assert {name: raised for name, raised in afters.items() if raised} == {}
    assert befores == RAISED
    silent = {rule.name for rule in RULES if rule.silent or rule.repeat}
    never_run = {"shader-names", "icons", "drawn-properties", "drawn-operators"}
    assert {name for name, raised in RAISED.items() if raised is None} == (
        silent - AGED - {"windows-paths"}
    ) | never_run


@pytest.mark.blender
def test_what_is_said_of_second_executions_is_so(blender: Blender, manifest: Manifest) -> None:
    """Every `before` adds or raises as recorded, every `after` leaves the same scene and adds nothing."""
    if blender.version != manifest.version or blender.kind != "module":
        pytest.skip("what second executions add is recorded for the wheel of Blender 5.0")
    names = list(REPEATS)
    results = execute_twice([text for name in names for text in pair(name)], blender)
    befores, afters = results[::2], results[1::2]
    assert {name: one.repetition for name, one in zip(names, befores, strict=True)} == {
        name: repetition(name) for name in names
    }
    assert [one.repetition for one in afters] == [None] * len(names)
    assert [one.blocks for one in afters] == [one.blocks for one in befores]


# Data that the snippet does not own, or cannot find again: a second execution of each adds, and none is repaired.
UNSAFE = {
    "a name that is no string": ("bpy.data.objects['Cube'].modifiers.new(str(1), 'BEVEL')", "modifiers", ["1"]),
    "a name that was there before": ("bpy.data.objects['Cube'].modifiers.new('Mine', 'BEVEL')", "modifiers", ["Mine.001"]),
    "more made than calls": ("for i in range(2):\n    bpy.data.objects['Cube'].constraints.new('LIMIT_SCALE')", "constraints", ["Limit Scale", "Limit Scale.001"]),
    "another list": ("bpy.data.objects['Cube'].vertex_groups.new(name='All')", "modifiers", ["All"]),
    "a scene that may be the one that is shown": ("bpy.data.scenes.new('S')", "scenes", ["S"]),
    "what opens another file": ("bpy.ops.wm.read_factory_settings()\nbpy.data.meshes.new('M')", "meshes", ["M"]),
}  # fmt: skip


@pytest.mark.parametrize("case", UNSAFE)
def test_what_cannot_be_repeated_safely_is_left_alone(case: str, manifest: Manifest) -> None:
    text, kind, names = UNSAFE[case]
    owner = 'object "Cube"' if kind in {"modifiers", "constraints"} else ""
    added = Addition(kind, owner, len(names), tuple(f"{name}.009" for name in names), tuple(names))
    snippet = f"import bpy\n{text}\n"
    healed = heal_by_rules(snippet, PASSED, manifest, repetition=Repetition(None, (added,)))
    assert healed is None


REPEATED = Repetition(None, (Addition("meshes", "", 1, ("M.001",), ("M",)),))
RAISES = Repetition(Trouble(3, "RuntimeError: it is there"), ())


@pytest.mark.parametrize(
    ("new", "old", "same_scene", "expected"),
    [
        (None, REPEATED, True, True),
        (None, REPEATED, False, False),
        (REPEATED, REPEATED, True, False),
        (REPEATED, RAISES, True, True),
        (RAISES, REPEATED, True, False),
        (RAISES, RAISES, True, False),
        (Repetition(Trouble(5, "RuntimeError: it is there"), ()), RAISES, True, True),
    ],
)
def test_a_repair_for_a_second_execution_must_add_less_and_leave_the_same_scene(
    new: Repetition | None, old: Repetition, same_scene: bool, expected: bool
) -> None:
    text = "pass\n" * 9
    assert repeats_better(new, old, text, text, same_scene) is expected


# What looks like an old spelling and is none: each must stay as it is, whatever it is said to raise.
TWINS = {
    "a name of before 2.80, given by itself": "ob = bpy.data.objects.get('Lamp') or bpy.data.objects.new('Lamp', None)\nbpy.context.scene.collection.objects.link(ob)\n",
    "a name of before 2.80 in code of today": "ob = bpy.data.objects.get('Lamp')\n",
    "a comment names the input of today": "n = bpy.data.materials[0].node_tree.nodes['Principled BSDF']\nn.inputs[2].default_value = 0.2  # roughness\nn.inputs[1].default_value = 1.0  # metallic\n",
    "a comment names no input": "n = bpy.data.materials[0].node_tree.nodes['Principled BSDF']\nn.inputs[7].default_value = 0.2  # some of it\n",
    "a keyframe is inserted in a view already": "area = bpy.context.window.screen.areas[0]\nwith bpy.context.temp_override(area=area):\n    bpy.ops.anim.keyframe_insert_menu(type='Location')\n",
    "an attribute of an own class": "class Row:\n    select = False\n\nrow = Row()\nrow.select = True\nrow.hide = row.select\n",
    "a vertex has `select`": "for v in bpy.data.meshes[0].vertices:\n    v.select = True\n    v.hide = False\n",
    "a bmesh vertex has it too": "import bmesh\nbm = bmesh.new()\nfor v in bm.verts:\n    v.select = True\n",
    "names in strings and comments": "# scene.objects.link(ob) and ob.select = True\nprint('scene.update() LAMP BLENDER_EEVEE_NEXT')\n",
    "numbers are multiplied": "from mathutils import Vector\na = 2.0\nb = Vector((1, 0, 0)) * a\nc = a * 3\nd = a * b\n",
    "a member of an own class": "class Row:\n    def __init__(self):\n        self.matrix_world = self.co = 2.0\nrow = Row()\nx = row.matrix_world * row.co\n",
    "a matrix by a number": "from mathutils import Matrix\nm = Matrix.Identity(4) * 2.0\nk = 2 * m\n",
    "a collection links objects": "c = bpy.data.collections.new('c')\nc.objects.link(bpy.data.objects['Cube'])\n",
    "a view layer has an active object": "bpy.context.view_layer.objects.active = bpy.data.objects['Cube']\n",
    "a guarded spelling": "if hasattr(bpy.data, 'lamps'):\n    lamps = bpy.data.lamps\nelse:\n    lamps = bpy.data.lights\n",
    "a caught spelling": "try:\n    bpy.context.scene.update()\nexcept AttributeError:\n    bpy.context.view_layer.update()\n",
    "an older branch": "if bpy.app.version < (2, 80, 0):\n    bpy.context.scene.objects.link(bpy.context.object)\n",
    "an own property": "bpy.types.Object.draw_type = bpy.props.StringProperty()\nbpy.data.objects['Cube'].draw_type = 'x'\n",
    "a class of no Blender type": "class Settings:\n    size = bpy.props.FloatProperty()\n",
    "sockets of an own group": "g = bpy.data.node_groups.new('g', 'ShaderNodeTree')\ng.interface.new_socket(name='Emission', in_out='INPUT')\nm = bpy.data.node_groups.new('m', 'ShaderNodeTree')\nn = m.nodes.new('ShaderNodeGroup')\nn.node_tree = g\nn.inputs['Emission'].default_value = 1\n",
    "an output called Emission": "m = bpy.data.materials.new('m')\ne = m.node_tree.nodes.new('ShaderNodeEmission')\ne.outputs['Emission']\n",
    "an output called Emission of what is unknown": "m = bpy.data.materials.new('m')\ndef wire(node):\n    return node.outputs['Emission']\nwire(m.node_tree.nodes.new('ShaderNodeEmission'))\nprint('Principled BSDF')\n",
    "an early return for newer Blenders": "def engine():\n    if bpy.app.version >= (5, 0, 0):\n        return 'BLENDER_EEVEE'\n    return 'BLENDER_EEVEE_NEXT'\nengine()\n",
    "an early way out of a loop": "for ob in bpy.data.objects:\n    if hasattr(ob, 'select_set'):\n        ob.select_set(True)\n        continue\n    ob.select = True\nprint('end')\n",
    "a name and a function that hold the answer": "NEW = bpy.app.version >= (2, 80)\nOLD = False\nif bpy.app.version < (2, 80):\n    OLD = True\n\ndef is_older(*than):\n    return bpy.app.version < than\n\nif not NEW or is_older(2, 80):\n    bpy.ops.object.lamp_add()\nif OLD:\n    bpy.ops.object.lamp_add()\nprint(NEW)\n",
    "what gets and sets a property": "def get_x(self):\n    return self.get('x', 1.0)\n\ndef set_x(self, value):\n    self['x'] = value\n\nbpy.types.Scene.x = bpy.props.FloatProperty(get=get_x, set=set_x)\nbpy.context.scene.x = 2.0\nbpy.context.scene['x'] = 3.0\n",
    "what runs when a property is set": "def limit(self):\n    self['y'] = 1.0\n\ndef changed(self, context):\n    limit(self)\n\nbpy.types.Scene.y = bpy.props.FloatProperty(update=changed)\nbpy.context.scene.y = 2.0\n",
    "two tests of an engine": "if bpy.context.scene.render.engine == 'BLENDER_EEVEE_NEXT':\n    print(1)\nelif bpy.context.scene.render.engine == 'BLENDER_EEVEE':\n    print(2)\n",
    "radius where it is right": "bpy.ops.mesh.primitive_uv_sphere_add(radius=2)\nbpy.ops.mesh.primitive_cylinder_add(radius=1)\n",
    "an own function of that name": "def update(scene):\n    scene.frame_set(1)\n\nupdate(bpy.context.scene)\n",
    "an own dictionary": "d = {'Emission': 1, 'Specular': 2}\nprint(d['Emission'], d['Specular'])\n",
    "a far name is no guess": "bpy.data.objects['Cube'].wobbliness = 3\n",
    "items of an own function": "def new(name, kind):\n    return kind\n\nnew('Smoke', 'SMOKE')\nprint('GRID', 'SELECTMOUSE')\n",
    "icons of an own class": "class Row:\n    icon = 'ZOOMIN'\n\ndef label(icon):\n    return icon\n\nlabel(icon='ZOOMIN')\n",
    "an own layout": "class Layout:\n    def prop(self, owner, name):\n        return getattr(owner, name)\n\n    def operator(self, name):\n        return name\n\nclass Thing:\n    draw_type = 'WIRE'\n\nLayout().prop(Thing(), 'draw_type')\nLayout().operator('object.lamp_add')\n",
    "a mapping of another kind": "class Mapping:\n    scale = (1, 1, 1)\n\nm = Mapping()\nm.scale = (2, 2, 2)\nm.color_space = 'NONE'\nbpy.data.objects['Cube'].scale = (2, 2, 2)\n",
    "attributes of a mesh": "m = bpy.data.meshes['Cube']\na = m.attributes.new('room', 'INT', 'FACE')\na.data[0].value = 1\n",
    "a bevel mode that is set": "c = bpy.data.curves.new('c', 'CURVE')\nc.bevel_mode = 'PROFILE'\nc.bevel_object = None\n",
    "products of an own class": "class Turn:\n    def __mul__(self, other):\n        return self\n\n    def to_matrix(self):\n        return self\n\nt = Turn().to_matrix() * Turn().to_matrix()\n",
    "a class and its own property, in capitals": "Scene = bpy.types.Scene\nScene.alpha_mode = bpy.props.StringProperty()\nbpy.context.scene.alpha_mode = 'x'\n",
    "sockets called so": "g = bpy.data.node_groups.new('g', 'GeometryNodeTree')\ni = g.interface.new_socket('Input_1', in_out='INPUT', socket_type='NodeSocketFloat')\nm = bpy.data.objects['Cube'].modifiers.new('m', 'NODES')\nm.node_group = g\nif bpy.app.version < (5, 2):\n    m[i.identifier] = 1.0\nprint('Input_1')\n",
    "items under another key than a layer of UVs": "import bmesh\nbm = bmesh.new()\nuv = bm.loops.layers.uv.new('u')\nmarks = {'u': bm.verts.new()}\nmarks['u'].select = True\n",
    "an own context": "class Screen:\n    scene = 1\n\nclass Context:\n    screen = Screen()\n\nmy_context = Context()\nprint(my_context.screen.scene)\n",
    "an own stack": "class Stack:\n    def pop(self, index, update_data):\n        return index\n\nStack().pop(index=0, update_data=True)\n",
    "an active object there is": "bpy.ops.object.mode_set(mode='OBJECT')\n",
}  # fmt: skip


@pytest.mark.parametrize("twin", TWINS)
def test_near_twins_are_left_alone(twin: str, manifest: Manifest) -> None:
    text = f"import bpy\n{TWINS[twin]}"
    last = {"line": len(text.splitlines()), "type": "RuntimeError", "message": "something else"}
    assert heal_by_rules(text, verdict(text, last, manifest), manifest) is None


@pytest.mark.blender
def test_the_twins_that_should_run_do(blender: Blender) -> None:
    runs = {name: f"import bpy\n{text}" for name, text in TWINS.items() if "far name" not in name}
    results = dict(zip(runs, execute_all(list(runs.values()), blender), strict=True))
    assert {name: raised for name, raised in results.items() if raised} == {}


KEPT: list[tuple[str, str | None]] = [
    # What looks like a near match and does something else is not repaired.
    ("bpy.ops.object.select_by_layer(layers=2)", None),
    ("bpy.ops.object.modifier_apply(apply_as='SHAPE', modifier='Wave')", None),
    ("bpy.ops.object.modifier_apply(apply_as='DATA', modifier='Wave')", "bpy.ops.object.modifier_apply(modifier='Wave')"),
    ("bpy.ops.object.shade_smooth(use_auto_smooth=flag)", None),
    ("bpy.ops.object.shade_smooth(use_auto_smooth=True)", "bpy.ops.object.shade_auto_smooth()"),
    # What takes no argument gets those by which it does the same.
    ("bpy.ops.mesh.vertex_color_add()", "bpy.ops.geometry.color_attribute_add(domain='CORNER', data_type='BYTE_COLOR')"),
    ("bpy.ops.mesh.vertex_color_add('INVOKE_DEFAULT')", None),
    # A window has a scene of its own, which is set there.
    ("bpy.context.screen.scene = bpy.data.scenes[0]", "bpy.context.window.scene = bpy.data.scenes[0]"),
    # The axis had a direction.
    ("bpy.ops.transform.rotate(value=1.0, axis=(0, 0, -1))", "bpy.ops.transform.rotate(value=-1.0, orient_axis='Z')"),
    ("bpy.ops.transform.rotate(value=1.0, axis=(1, 1, 0))", None),
    # Flags that are worked out.
    ("bpy.ops.mesh.bevel(vertex_only=flag)", "bpy.ops.mesh.bevel(affect='VERTICES' if flag else 'EDGES')"),
    ("bpy.ops.mesh.bevel(vertex_only=False)", "bpy.ops.mesh.bevel(affect='EDGES')"),
    ("bpy.ops.transform.translate(proportional=how)", "bpy.ops.transform.translate(use_proportional_edit=how != 'DISABLED')"),
    ("bpy.ops.transform.translate(proportional='ENABLED')", "bpy.ops.transform.translate(use_proportional_edit=True)"),
    # What is worked out keeps its brackets.
    ("bpy.context.scene.rigidbody_world.steps_per_second = a + 60", "bpy.context.scene.rigidbody_world.substeps_per_frame = max(1, int((a + 60) / bpy.context.scene.render.fps))"),
    ("bpy.ops.mesh.primitive_cube_add(radius=1234.56789)", "bpy.ops.mesh.primitive_cube_add(size=2469.13578)"),
    # Variables that may be the context or something else.
    ("mode = 'INVOKE_DEFAULT'\nbpy.ops.object.delete(mode)", None),
    ("mode = {'object': None}\nbpy.ops.object.delete(mode)", "mode = {'object': None}\nwith bpy.context.temp_override(**mode):\n    bpy.ops.object.delete()"),
    # Settings that became items, and items under another name, set or compared.
    ("b = bpy.data.objects['Cube'].modifiers.new('B', 'BEVEL')\nb.use_only_vertices = True", "b = bpy.data.objects['Cube'].modifiers.new('B', 'BEVEL')\nb.affect = 'VERTICES'"),
    ("b = bpy.data.objects['Cube'].modifiers.new('B', 'BEVEL')\nb.affect = 'VERTICES'", None),
    ("b = bpy.data.armatures['A'].edit_bones['B']\nb.use_inherit_scale = flag", "b = bpy.data.armatures['A'].edit_bones['B']\nb.inherit_scale = 'FULL' if flag else 'NONE'"),
    ("bpy.ops.object.select_by_type(type='GPENCIL')", "bpy.ops.object.select_by_type(type='GREASEPENCIL')"),
    ("print([o for o in bpy.data.objects if o.type == 'GPENCIL'])", "print([o for o in bpy.data.objects if o.type == 'GREASEPENCIL'])"),
    ("print([o for o in bpy.data.objects if o.name == 'GPENCIL'])", None),
    ("bpy.context.scene.cycles.motion_blur_position = 'CENTER'", "bpy.context.scene.render.motion_blur_position = 'CENTER'"),
    ("bpy.ops.mesh.select_random(percent=50)", "bpy.ops.mesh.select_random(ratio=0.5)"),
    ("bpy.ops.mesh.select_random(ratio=0.5)", None),
    # What a name alone would have made another value, another setting, or a call that raises.
    ("bpy.ops.pose.push(percentage=0.5)", "bpy.ops.pose.push(factor=0.5)"),
    ("print(bpy.context.object.is_visible(bpy.context.scene))", None),
    ("bpy.ops.mesh.rip_move_fill()", "bpy.ops.mesh.rip_move(MESH_OT_rip={'use_fill': True})"),
    ("bpy.context.scene.render.use_stamp_strip_meta = True", "bpy.context.scene.render.metadata_input = 'STRIPS'"),
    ("m = bpy.data.objects['Cube'].modifiers.new('s', 'SMOKE')\nm.domain_settings.amplify = 1", "m = bpy.data.objects['Cube'].modifiers.new('s', 'FLUID')\nm.domain_settings.noise_scale = 1 + 1"),
    ("bpy.data.images.new('i', 4, 4).colorspace_settings.name = 'XYZ'", "bpy.data.images.new('i', 4, 4).colorspace_settings.name = 'Linear CIE-XYZ D65'"),
    ("s = bpy.data.node_groups.new('S', 'ShaderNodeTree').nodes.new('ShaderNodeTexSky')\ns.sky_type = 'NISHITA'", "s = bpy.data.node_groups.new('S', 'ShaderNodeTree').nodes.new('ShaderNodeTexSky')\ns.sky_type = 'SINGLE_SCATTERING'"),
    ("n = bpy.data.node_groups.new('C', 'CompositorNodeTree').nodes.new('CompositorNodeDistanceMatte')\nn.channel = 'YCC'", 'n = bpy.data.node_groups.new(\'C\', \'CompositorNodeTree\').nodes.new(\'CompositorNodeDistanceMatte\')\nn.inputs["Color Space"].default_value = \'YCC\''),
    ("n = bpy.data.node_groups.new('C', 'CompositorNodeTree').nodes.new('CompositorNodeBokehBlur')\nn.blur_max = 16", None),
    ("import bmesh\nbmesh.ops.subdivide_edges(bm, edges=bm.edges[:], cuts=2, quad_corner_type=0)", "import bmesh\nbmesh.ops.subdivide_edges(bm, edges=bm.edges[:], cuts=2, quad_corner_type='INNER_VERT')"),
    ("bpy.context.preferences.filepaths.hide_recent_locations = True", "bpy.context.preferences.filepaths.show_recent_locations = False"),
    ("l = bpy.data.grease_pencils.new('p').layers.new('l')\nl.line_change = 10\nl.location = (1, 2, 3)", "l = bpy.data.grease_pencils.new('p').layers.new('l')\nl.radius_offset = 0.005\nl.translation = (1, 2, 3)"),
    # A setting that is named like another one: by its value, and because both are set.
    ("b = bpy.data.objects['Cube'].modifiers.new('b', 'BEVEL')\nb.limit_method = 'ANGLE'\nb.edge_weight_method = 'LARGEST'", "b = bpy.data.objects['Cube'].modifiers.new('b', 'BEVEL')\nb.limit_method = 'ANGLE'"),
    ("ob = bpy.data.objects['Cube']\nob.show_in_front = True\nob.show_x_ray = False", "ob = bpy.data.objects['Cube']\nob.show_in_front = True"),
    ("ob = bpy.data.objects['Cube']\nob.dupli_type = 'GROUP'\nob.draw_type = how", "ob = bpy.data.objects['Cube']\nob.instance_type = 'COLLECTION'\nob.display_type = how"),
    ("rig = bpy.context.object\nrig.data.draw_type = 'STICK'\nprint(rig)", "rig = bpy.context.object\nrig.data.display_type = 'STICK'\nprint(rig)"),
    # An exit that this Blender takes, and one that it does not.
    ("if bpy.app.version < (2, 80):\n    raise SystemExit\nbpy.ops.object.lamp_add()", "if bpy.app.version < (2, 80):\n    raise SystemExit\nbpy.ops.object.light_add()"),
    ("for ob in bpy.data.objects:\n    if not hasattr(ob, 'select'):\n        continue\n    ob.select = True\nob.draw_type = 'WIRE'", "for ob in bpy.data.objects:\n    if not hasattr(ob, 'select'):\n        continue\n    ob.select = True\nob.display_type = 'WIRE'"),
    # One selection for a bone and its ends; a path with a folder, of one file and of two.
    ("b = bpy.data.armatures['A'].bones[0]\nb.select = True\nb.select_head = True\nb.select_tail = True", "b = bpy.data.armatures['A'].bones[0]\nnext(ob for ob in bpy.data.objects if ob.data == b.id_data).pose.bones[b.name].select = True"),
    ("n = bpy.data.node_groups.new('c', 'CompositorNodeTree').nodes.get('Out')\nn.file_slots[0].path = 'depth/at_'", "n = bpy.data.node_groups.new('c', 'CompositorNodeTree').nodes.get('Out')\nn.file_name = 'depth/at_'\nn.file_output_items[0].name = \"\""),
    ("n = bpy.data.node_groups.new('c', 'CompositorNodeTree').nodes.get('Out')\nn.file_slots[0].path = 'depth/at_'\nn.file_slots[1].path = 'mist'", None),
    # Numbers of inputs, of a snippet that is older than their move, of one that need not be, and of a node of another type.
    ("r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes.new('GeometryNodeResampleCurve')\nr.mode = 'LENGTH'\nr.inputs[3].default_value = 2", "r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes.new('GeometryNodeResampleCurve')\nr.inputs[\"Mode\"].default_value = \"Length\"\nr.inputs[\"Length\"].default_value = 2"),
    ("r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes.new('GeometryNodeResampleCurve')\nr.inputs[3].default_value = 2", None),
    ("r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes\nr.new('GeometryNodeResampleCurve').mode = 'LENGTH'\nr.new('ShaderNodeTexVoronoi').inputs[5].default_value = 2", "r = bpy.data.node_groups.new('g', 'GeometryNodeTree').nodes\nr.new('GeometryNodeResampleCurve').inputs[\"Mode\"].default_value = \"Length\"\nr.new('ShaderNodeTexVoronoi').inputs[5].default_value = 2"),
    ("n = bpy.data.node_groups.new('g', 'ShaderNodeTree').nodes.new('ShaderNodeTexMusgrave')\nn.inputs[5].default_value = 2", "n = bpy.data.node_groups.new('g', 'ShaderNodeTree').nodes.new('ShaderNodeTexNoise')\nn.normalize = False\nn.inputs[5].default_value = 2"),
    # Smoothing that is turned off where it was never on, and where it was.
    ("me = bpy.data.meshes['Cube']\nme.use_auto_smooth = True\ndef plain(me):\n    me.use_auto_smooth = False\nplain(me)", "me = bpy.data.meshes['Cube']\nme.set_sharp_from_angle(angle=0.523599)\ndef plain(me):\n    me.set_sharp_from_angle(angle=3.141593)\nplain(me)"),
    ("me = bpy.data.meshes['Cube']\nme.use_auto_smooth = False\nme.name = 'n'", "me = bpy.data.meshes['Cube']\nme.name = 'n'"),
    # A button without text shows something.
    ("def draw(self: bpy.types.Panel, context):\n    self.layout.operator('wm.save_mainfile', text='', icon='SAVE_AS')\n    self.layout.operator('wm.save_mainfile', icon='SAVE_AS')", "def draw(self: bpy.types.Panel, context):\n    self.layout.operator('wm.save_mainfile', text='', icon='DOT')\n    self.layout.operator('wm.save_mainfile', icon='NONE')"),
    # Names of a module that is gone: all imported, one under another name, below a test, and where nothing helps.
    ("from bgl import *\ndef draw():\n    glEnable(GL_BLEND)\n    glTranslatef(1, 2, 3)", "import gpu\ndef draw():\n    gpu.state.blend_set('ALPHA')\n    gpu.matrix.translate((1, 2, 3))"),
    ("from bgl import glEnable as on, GL_BLEND\ndef draw():\n    on(GL_BLEND)\n    on(kind)", "import gpu\ndef draw():\n    from bgl import glEnable as on\n    gpu.state.blend_set('ALPHA')\n    on(kind)"),
    ("import bgl, blf\ndef draw():\n    if bpy.app.version < (3, 0):\n        bgl.glEnable(bgl.GL_BLEND)\nprint(1)", "import blf\ntry:\n    import bgl\nexcept ModuleNotFoundError:\n    pass\ndef draw():\n    if bpy.app.version < (3, 0):\n        bgl.glEnable(bgl.GL_BLEND)\nprint(1)"),
    ("try:\n    import bgl\nexcept ImportError:\n    bgl = None\nif bgl:\n    bgl.glEnable(bgl.GL_BLEND)\nprint(1)", None),
    # A bmesh without modifiers, which no argument asks for today; and the graph itself. A class that does its own part.
    ("import bmesh\nbmesh.new().from_object(bpy.context.object, bpy.context.scene, deform=False)", None),
    ("import bmesh\nbmesh.new().from_object(bpy.context.object, bpy.context.scene, True, False, True)", "import bmesh\nbmesh.new().from_object(bpy.context.object, bpy.context.evaluated_depsgraph_get(), cage=True)"),
    ("import bmesh\nbmesh.new().from_object(bpy.context.object, bpy.context.evaluated_depsgraph_get())", None),
    ("class A(bpy.types.Operator):\n    def __init__(self, *args):\n        super().__init__(*args)\nclass B(bpy.types.PropertyGroup):\n    def __init__(self):\n        pass\nprint(A, B)", None),
    # The number of the active view layer, read and set.
    ("scene = bpy.context.scene\nprint(scene.render.layers[scene.render.layers.active_index])", "scene = bpy.context.scene\nprint(scene.view_layers[scene.view_layers.find(bpy.context.view_layer.name)])"),
    ("bpy.context.scene.render.layers.active_index = 1", "bpy.context.window.view_layer = bpy.context.scene.view_layers[1]"),
    # The second number of a version: alone, and where the first one says what is meant.
    ("OLD = bpy.app.version[1] >= 80\nprint(OLD)", "OLD = bpy.app.version >= (2, 80)\nprint(OLD)"),
    ("if bpy.app.version[0] < 3 and bpy.app.version[1] < 80:\n    print(1)", None),
    ("print(bpy.app.version[1] < 3, bpy.app.version[0] > 2 or bpy.app.version[1] >= 80)", None),
    # Names of declared properties that mean something else: a variable beside them, one of the class, and a parameter.
    ("size = 2\nclass A(bpy.types.PropertyGroup):\n    size: bpy.props.IntProperty()\n    wide = size\nprint(A)", None),
    ("class A(bpy.types.PropertyGroup):\n    size: bpy.props.IntProperty()\n    size = 2\n    wide = size\nprint(A)", None),
    ("class A(bpy.types.PropertyGroup):\n    size: bpy.props.IntProperty()\n    wide = dict(size=2)\n    def of(self, size):\n        return size\nprint(A)", None),
    # The base of sockets in an interface, which a class of another module may also be called like.
    ("class I(bpy.types.NodeSocketInterface):\n    bl_socket_idname = 'S'\nprint(I)", "class I(bpy.types.NodeTreeInterfaceSocket):\n    bl_socket_idname = 'S'\nprint(I)"),
    ("import nodes\nclass I(nodes.NodeSocketInterface):\n    bl_socket_idname = 'S'\nprint(I)", None),
    # Points in colours of their own, a rectangle, and a colour that only some ways set.
    ("import bgl\ndef draw():\n    bgl.glBegin(bgl.GL_LINE_LOOP)\n    bgl.glColor3f(1, 0, 0)\n    bgl.glVertex3f(*v)\n    bgl.glEnd()\n    bgl.glRecti(1, 2, 3, 4)", "import gpu\nfrom gpu_extras.batch import batch_for_shader\ndef draw():\n    gl_color = (1.0, 1.0, 1.0, 1.0)\n    gl_points, gl_colors = [], []\n    gl_color = (1, 0, 0, 1.0)\n    gl_points.append((*v,))\n    gl_colors.append(gl_color)\n    if gl_points:\n        gl_shader = gpu.shader.from_builtin(\"SMOOTH_COLOR\")\n        gl_points.append(gl_points[0])\n        gl_colors.append(gl_colors[0])\n        batch_for_shader(gl_shader, \"LINE_STRIP\", {\"pos\": gl_points, \"color\": gl_colors}).draw(gl_shader)\n    gl_points = [(1, 2), (3, 2), (3, 4), (1, 4)]\n    gl_shader = gpu.shader.from_builtin(\"UNIFORM_COLOR\")\n    gl_shader.uniform_float(\"color\", gl_color)\n    batch_for_shader(gl_shader, \"TRIS\", {\"pos\": gl_points}, indices=[(0, i, i + 1) for i in range(1, len(gl_points) - 1)]).draw(gl_shader)"),
    ("import bgl\ndef draw():\n    if x:\n        bgl.glColor3f(1, 0, 0)\n    bgl.glRecti(1, 2, 3, 4)", "def draw():\n    import bgl\n    if x:\n        bgl.glColor3f(1, 0, 0)\n    bgl.glRecti(1, 2, 3, 4)"),
    ("import bgl\ndef draw():\n    bgl.glBegin(bgl.GL_POINTS); bgl.glVertex2f(0, 1); bgl.glEnd()\nprint(draw)", "import gpu\nfrom gpu_extras.batch import batch_for_shader\ndef draw():\n    gl_points = []\n    gl_points.append((0, 1))\n    if gl_points:\n        gl_shader = gpu.shader.from_builtin(\"UNIFORM_COLOR\")\n        gl_shader.uniform_float(\"color\", (1.0, 1.0, 1.0, 1.0))\n        batch_for_shader(gl_shader, \"POINTS\", {\"pos\": gl_points}).draw(gl_shader)\nprint(draw)"),
    ("def glBegin(kind):\n    return kind\nglBegin('GL_LINES')", None),
    # Types and modules that are imported: those that are there, a class of an interface, and other forms.
    ("from bpy.types import Object, VIEW3D_MT_add\nprint(Object)", None),
    ("from bpy_extras.io_utils import ExportHelper, orientation_helper_factory\nAxes = orientation_helper_factory('Axes', axis_up='Y')\nprint(ExportHelper)", "from bpy_extras.io_utils import ExportHelper, orientation_helper\n@orientation_helper(axis_up='Y')\nclass Axes:\n    pass\nprint(ExportHelper)"),
    ("import bpy_types\nclass Shed(bpy_types.Menu):\n    bpy_types = 1\nprint(Shed)", "import _bpy_types\nclass Shed(_bpy_types.Menu):\n    bpy_types = 1\nprint(Shed)"),
    ("rna_info = 1\nprint(rna_info)", None),
    ("from nodeitems_builtins import ShaderNewNodeCategory\nprint(ShaderNewNodeCategory)", "from nodeitems_builtins import ShaderNodeCategory as ShaderNewNodeCategory\nprint(ShaderNewNodeCategory)"),
    ("from bpy_extras.view3d_utils import location_3d_to_region_2d as to_2d\nto_2d(1, 2, 3, None)\nbpy.utils.user_resource('SCRIPTS', 'a', True)", "from bpy_extras.view3d_utils import location_3d_to_region_2d as to_2d\nto_2d(1, 2, 3, default=None)\nbpy.utils.user_resource('SCRIPTS', path='a', create=True)"),
    ("def draw(self: bpy.types.Panel, context):\n    self.layout.operator('wm.save_mainfile', icon='BRUSH_SMEAR')", "def draw(self: bpy.types.Panel, context):\n    self.layout.operator('wm.save_mainfile', icon='BRUSH_DATA')"),
    ("def of(ob, scene, flag):\n    return ob.to_mesh(scene, flag, 'PREVIEW', False)\nprint(of)", "def of(ob, scene, flag):\n    return bpy.data.meshes.new_from_object(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()) if flag else ob)\nprint(of)"),
    ("def annotate(cls):\n    found = {k: v for k, v in cls.__dict__.items() if isinstance(v, tuple)}\n    cls.__annotations__.update(found)\nprint(annotate)", "def annotate(cls):\n    found = {k: v for k, v in cls.__dict__.items() if isinstance(v, bpy.props._PropertyDeferred)}\n    cls.__annotations__.update(found)\nprint(annotate)"),
    ("def is_pair(value):\n    return isinstance(value, tuple) and len(value) == 2\nprint(is_pair)", None),
    ("class A(bpy.types.Panel):\n    bl_idname = 'X_PT_x'\n    bl_space_type = 'VIEW_3D'\nclass B(bpy.types.Panel):\n    bl_idname = 'X_PT_x'\n    bl_space_type = 'VIEW_3D'\nprint(A, B)", None),
    ("def told(self, context):\n    wm = bpy.context.window_manager\n    bpy.data.texts[0].from_string(string='x')\n    return wm.invoke_popup(self, width=200, height=100)\nprint(told)", "def told(self, context):\n    wm = bpy.context.window_manager\n    bpy.data.texts[0].from_string(text='x')\n    return wm.invoke_popup(self, width=200)\nprint(told)"),
    ("bpy.types.SpaceTimeline.draw_handler_add(print, (), 'WINDOW', 'POST_PIXEL')", "bpy.types.SpaceDopeSheetEditor.draw_handler_add(print, (), 'WINDOW', 'POST_PIXEL')"),
    ("maps = bpy.context.window_manager.keyconfigs.addon.keymaps\nkm = maps.new(name='Timeline', space_type='TIMELINE'); print(bpy.context.window_manager.keyconfigs.addon.keymaps['Timeline'])", "maps = bpy.context.window_manager.keyconfigs.addon.keymaps\nkm = maps.new(name='Dopesheet', space_type='DOPESHEET_EDITOR'); print(bpy.context.window_manager.keyconfigs.addon.keymaps['Dopesheet'])"),
    ("class RENDER_PT_shading(bpy.types.Panel):\n    bl_parent_id = 'RENDER_PT_shading'\nprint(RENDER_PT_shading, 'INFO_MT_add')", None),
    ("def hello(keys):\n    keys.properties.name = 'INFO_MT_add'\nprint(hello)", "def hello(keys):\n    keys.properties.name = 'VIEW3D_MT_add'\nprint(hello)"),
    ("from bpy_extras.io_utils import path_reference_mode\nprint(1)", None),
    ("def draw(self: bpy.types.Panel, context):\n    row = self.layout.split(percentage=0.3)\n    row.label('Name')", "def draw(self: bpy.types.Panel, context):\n    row = self.layout.split(factor=0.3)\n    row.label(text='Name')"),
    ("from bpy.types import Sequences\ndef of(one: Sequences):\n    return one\nprint(of)", "from bpy.types import StripsTopLevel as Sequences\ndef of(one: Sequences):\n    return one\nprint(of)"),
    ("try:\n    from bpy.types import Sequence\nexcept ImportError:\n    Sequence = None\nprint(1)", None),
    ("import bl_ui.properties_data_lamp\nfrom bl_ui import properties_data_lamp, properties_render\nprint(bl_ui.properties_data_lamp)", "import bl_ui.properties_data_light\nfrom bl_ui import properties_data_light, properties_render\nprint(bl_ui.properties_data_light)"),
    ("print('bl_ui.properties_data_lamp')", None),
    # Operators of numbered layers, without a module, and of a macro; members of a context that are read.
    ("bpy.ops.object.select_by_layer()", "bpy.ops.object.select_all(action='SELECT')"),
    ("bpy.ops.nothing_at_all()", None),
    ("bpy.ops.object.duplicate_move(TRANSFORM_OT_translate={'value': (1, 0, 0), 'orient_type': 'GLOBAL'})", None),
    ("bpy.context.object = bpy.data.objects['Cube']", "bpy.context.view_layer.objects.active = bpy.data.objects['Cube']"),
    ("class Mine:\n    scene = 1\nmine = Mine()\nmine.scene = 2", None),
    ("def pick(n):\n    return [i == n for i in range(20)]\nbpy.context.object.layers[:] = pick(1)", "def pick(n):\n    return [i == n for i in range(20)]\npick(1)"),
    # Passes of render layers, and outputs of other nodes with such a name.
    ("def of(node):\n    return node.outputs['GlossInd'], node.outputs['Env']\nprint(of)", "def of(node):\n    return node.outputs[\"Glossy Indirect\"], node.outputs['Env']\nprint(of)"),
    # What is right today, and what was: the arguments by place tell.
    ("ob = bpy.data.objects['Cube']\nob.to_mesh(preserve_all_data_layers=True, depsgraph=None)", None),
    ("ob = bpy.data.objects['Cube']\nob.to_mesh(bpy.context.scene, False, 'PREVIEW')", "ob = bpy.data.objects['Cube']\nbpy.data.meshes.new_from_object(ob)"),
    # A guess mends a typing error where the run failed; words that only sound alike are no guess, nor is code that never ran.
    ("bpy.data.objects['Cube'].loaction = (1, 2, 3)", "bpy.data.objects['Cube'].location = (1, 2, 3)"),
    ("bpy.data.objects['Cube'].display_kind = 'WIRE'", None),
    ("def later():\n    bpy.data.objects['Cube'].loaction = (1, 2, 3)\nprint(later)", None),
    # Bones of an armature that several objects may share, and those in edit mode, which are selected as ever.
    ("arm = bpy.data.armatures['A']\nfor b in arm.bones:\n    b.select = True", "arm = bpy.data.armatures['A']\nfor b in arm.bones:\n    next(ob for ob in bpy.data.objects if ob.data == b.id_data).pose.bones[b.name].select = True"),
    ("arm = bpy.data.armatures['A']\nfor b in arm.edit_bones:\n    b.select = True\n    b.hide = True", None),
    # Numbers of inputs are those of today unless something else shows how old the script is.
    ("p = bpy.data.materials['M'].node_tree.nodes.new('ShaderNodeBsdfPrincipled')\np.inputs[4].default_value = 0.5", None),
    # Backslashes that are meant, in text and in paths that were written with care.
    ("print('a\\tb', 'C:\\\\temp', r'C:\\temp', 'C:\\data')", None),
    ("print('x:\\tone', 'Sum:\\t', 'N:\\ttwo', 'D:\\n')", None),
    ("print('C:\\new\\file.txt')", "print(r'C:\\new\\file.txt')"),
    # A custom property of a name that nothing registers, and one of another type.
    ("bpy.types.Scene.floors = bpy.props.IntProperty()\nbpy.data.objects['Cube']['floors'] = 2", None),
    # An emitter is rendered unless it is told not to; an icon that is worked out may be right.
    ("p = bpy.data.particles.new('p')\np.use_render_emitter = True\nbpy.data.objects['Cube'].draw_type = 'WIRE'", "p = bpy.data.particles.new('p')\nbpy.data.objects['Cube'].display_type = 'WIRE'"),
    # A part of the scene may have a name in capitals.
    ("R = bpy.context.scene.render\nR.use_raytrace = True\nR.layers['RenderLayer'].use = True", "R = bpy.context.scene.render\nR.id_data.view_layers[0].use = True"),
    # A compositor whose nodes a helper makes.
    ("def made(kind):\n    return bpy.context.scene.node_tree.nodes.new(kind)\nmade('CompositorNodeComposite')", "def made(kind):\n    if bpy.context.scene.compositing_node_group is None:\n        bpy.context.scene.compositing_node_group = bpy.data.node_groups.new(\"Compositing\", \"CompositorNodeTree\")\n        bpy.context.scene.compositing_node_group.interface.new_socket(name=\"Image\", in_out=\"OUTPUT\", socket_type=\"NodeSocketColor\")\n    return bpy.context.scene.compositing_node_group.nodes.new(kind)\nmade('NodeGroupOutput')"),
    ("kinds = ['CompositorNodeComposite']\nprint(kinds)", None),
    # The type of a name that is given a rotation anew.
    ("from mathutils import Matrix\ndef turned(v):\n    q = v.to_track_quat('-Z', 'Y')\n    q = q.to_matrix().to_4x4() * Matrix.Identity(4)\n    return Matrix.Identity(4) * q\nturned(bpy.data.objects['Cube'].location)", "from mathutils import Matrix\ndef turned(v):\n    q = v.to_track_quat('-Z', 'Y')\n    q = q.to_matrix().to_4x4() @ Matrix.Identity(4)\n    return Matrix.Identity(4) @ q\nturned(bpy.data.objects['Cube'].location)"),
    # An action that only a strip plays.
    ("ob = bpy.data.objects['Cube']\nact = bpy.data.actions.new('A')\nact.fcurves.new('location', index=0)\nob.animation_data_create()\ntrack = ob.animation_data.nla_tracks.new()\ntrack.strips.new('A', 1, act)", "from bpy_extras import anim_utils\nob = bpy.data.objects['Cube']\nact = bpy.data.actions.new('A')\nanim_utils.action_ensure_channelbag_for_slot(act, act.slots[0] if act.slots else act.slots.new(ob.id_type, ob.name)).fcurves.new('location', index=0)\nob.animation_data_create()\ntrack = ob.animation_data.nla_tracks.new()\ntrack.strips.new('A', 1, act)"),
    # Settings that have another name in the script, which may also be read.
    ("u = bpy.context.tool_settings.unified_paint_settings\nu.size = 5", "for mode in (\"sculpt\", \"image_paint\", \"vertex_paint\", \"weight_paint\", \"curves_sculpt\", \"gpencil_paint\"):\n    if paint := getattr(bpy.context.tool_settings, mode):\n        paint.unified_paint_settings.size = 2 * 5"),
    ("u = bpy.context.tool_settings.unified_paint_settings\nu.size = 5\nprint(u.size)", None),
    ("c = bpy.data.cameras['Camera']\nc.show_guide = {'THIRDS', 'CENTER'}", "c = bpy.data.cameras['Camera']\nc.show_composition_thirds = True\nc.show_composition_center = True"),
    ("c = bpy.data.cameras['Camera']\nc.show_guide = guides", None),
    # A blur in per cent of the picture; in pixels, the percentages had no effect.
    ("t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeBlur')\nb.use_relative = True\nb.factor_x = 20\nb.factor_y = n + 1", "t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeBlur')\nb.inputs[\"Size\"].default_value = (20 / 100 * bpy.context.scene.render.resolution_x, (n + 1) / 100 * bpy.context.scene.render.resolution_y)"),
    ("t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeBlur')\nb.factor_x = 20\nb.size_x = 5", "t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeBlur')\nb.inputs[\"Size\"].default_value = (5, 0)"),
    # Methods by number, and a number that names none.
    ("import bmesh\nbm = bmesh.new()\nbmesh.ops.triangulate(bm, faces=bm.faces, quad_method=3, ngon_method=1)", "import bmesh\nbm = bmesh.new()\nbmesh.ops.triangulate(bm, faces=bm.faces, quad_method='SHORT_EDGE', ngon_method='EAR_CLIP')"),
    ("import bmesh\nbm = bmesh.new()\nbmesh.ops.triangulate(bm, faces=bm.faces, quad_method=how)", None),
    ("import bmesh\nbm = bmesh.new()\nbmesh.ops.delete(bm, geom=bm.faces[:], context=5)", "import bmesh\nbm = bmesh.new()\nbmesh.ops.delete(bm, geom=bm.faces[:], context='FACES')"),
    ("import bmesh\nbm = bmesh.new()\nbmesh.ops.delete(bm, geom=bm.faces[:], context=0)", None),
    # Arguments that may be left out have names in the manifest; those that are required have their place.
    ("bpy.context.scene.timeline_markers.new('start', 1)", "bpy.context.scene.timeline_markers.new('start', frame=1)"),
    ("bpy.context.scene.timeline_markers.new('start', frame=1)", None),
    # A member of one other group, of two, and of none.
    ("bpy.context.preferences.system.wobbles = True", None),
    ("m = bpy.data.materials['M']\nm.raytrace_mirror.depth = found()", None),
    ("c = bpy.data.curves.new('c', 'CURVE')\nc.show_normal_face = how()", None),
    ("bpy.data.objects['Cube'].show_in_frnt = True", "bpy.data.objects['Cube'].show_in_front = True"),
    ("ob = bpy.data.objects['Cube']\nob.is_updated = 1", None),
    # Limits of a property that is not there yet, and of one below.
    ("ob = bpy.data.objects['Cube']\nob['_RNA_UI'] = {'x': {'min': 0}}\nob['x'] = 1", None),
    ("ob = bpy.data.objects['Cube']\nob['x'] = 1\nob['_RNA_UI'] = {}\nob['_RNA_UI']['x'] = {'min': 0}", "ob = bpy.data.objects['Cube']\nob['x'] = 1\nob.id_properties_ui(\"x\").update(**{'min': 0})"),
    # A number and a colour of one name.
    ("t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeColorBalance')\nb.lift = (1, 1, 1)", "t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeColorBalance')\nb.inputs[\"Color Lift\"].default_value = (*(1, 1, 1), 1.0)[:4]"),
    # An angle that no edge has keeps what was marked.
    ("me = bpy.data.meshes['Cube']\nme.use_auto_smooth = True\nme.auto_smooth_angle = 3.14159\nme.name = 'n'", "me = bpy.data.meshes['Cube']\nme.name = 'n'"),
    # An action that a strip plays elsewhere: of an object, and of what nothing tells.
    ("ob = bpy.data.objects['Cube']\nob.animation_data_create()\ndef made(act):\n    return act.fcurves.new('location')\nact = bpy.data.actions.new('A')\nact.fcurves.new('location', index=0)", "from bpy_extras import anim_utils\nob = bpy.data.objects['Cube']\nob.animation_data_create()\ndef made(act):\n    return act.fcurves.new('location')\nact = bpy.data.actions.new('A')\nanim_utils.action_ensure_channelbag_for_slot(act, act.slots[0] if act.slots else act.slots.new(\"OBJECT\", act.name)).fcurves.new('location', index=0)"),
    ("act = bpy.data.actions.new('A')\nact.fcurves.new('location', index=0)", None),
    # The layer of a bone that is asked for.
    ("b = bpy.data.armatures['A'].bones[0]\nprint(b.layers[1])", "b = bpy.data.armatures['A'].bones[0]\nprint((\"Layer 2\" in b.collections))"),
    ("b = bpy.data.armatures['A'].bones[0]\nprint(b.layers[n])", None),
    # Whole numbers that are worked out, and floats where they are taken.
    ("scene = bpy.context.scene\nscene.frame_set(scene.frame_end // 2)\nscene.frame_set(len(bpy.data.objects) * 2)", None),
    ("scene = bpy.context.scene\nscene.frame_set(frame=scene.frame_end * 0.5)", "scene = bpy.context.scene\nscene.frame_set(frame=int(scene.frame_end * 0.5))"),
    ("bpy.data.objects['Cube'].location.x = 5 / 2\nbpy.context.scene.frame_set(1, subframe=1 / 2)", None),
    # A colour that is linked gives light as well as one that is set; a roughness gives none.
    ("n = bpy.data.materials['M'].node_tree.nodes\nt = n.id_data\nb = n.new('ShaderNodeBsdfPrincipled')\nt.links.new(n.new('ShaderNodeRGB').outputs[0], b.inputs['Emission'])", "n = bpy.data.materials['M'].node_tree.nodes\nt = n.id_data\nb = n.new('ShaderNodeBsdfPrincipled')\nt.links.new(n.new('ShaderNodeRGB').outputs[0], b.inputs[\"Emission Color\"])\nb.inputs[\"Emission Strength\"].default_value = 1.0"),
    ("n = bpy.data.materials['M'].node_tree.nodes\nt = n.id_data\nb = n.new('ShaderNodeBsdfPrincipled')\nt.links.new(n.new('ShaderNodeValue').outputs[0], b.inputs['Roughness'])", None),
    # Set before the mesh has edges.
    ("me = bpy.data.meshes.new('m')\nme.use_auto_smooth = True\nme.from_pydata([], [], [])", "me = bpy.data.meshes.new('m')\nme.from_pydata([], [], [])\nme.set_sharp_from_angle(angle=0.523599)"),
    # The type of an object, and an item of the add-on itself with the same name.
    ("items = [('LAMP', 'Lamp', ''), ('MESH', 'Mesh', '')]\nif kind.type == 'LAMP':\n    print([ob for ob in bpy.data.objects if ob.type == 'LAMP'])", "items = [('LAMP', 'Lamp', ''), ('MESH', 'Mesh', '')]\nif kind.type == 'LAMP':\n    print([ob for ob in bpy.data.objects if ob.type == 'LIGHT'])"),
    # A setting that is gone is not set; what only reads it stays, and fails for all to see.
    ("steps = 2\nsteps += bpy.context.scene.render.use_antialiasing", None),
    ("bpy.context.scene.render.antialiasing_samples += '8'\nprint(1)", "print(1)"),
    # A property that was never set is still not there.
    ("bpy.types.Object.my_id = bpy.props.IntProperty()\nob = bpy.data.objects['Cube']\nif ob.get('my_id') is None:\n    ob['my_id'] = 3", "bpy.types.Object.my_id = bpy.props.IntProperty()\nob = bpy.data.objects['Cube']\nif (ob.my_id if ob.is_property_set(\"my_id\") else None) is None:\n    ob.my_id = 3"),
    # A list of that name is the script's own.
    ("class Slots:\n    def __init__(self):\n        self.layer_slots = []\n    def add(self, x):\n        self.layer_slots.append(x)", None),
    # Diameters that were radii.
    ("bpy.context.scene.tool_settings.unified_paint_settings.size = 20", "for mode in (\"sculpt\", \"image_paint\", \"vertex_paint\", \"weight_paint\", \"curves_sculpt\", \"gpencil_paint\"):\n    if paint := getattr(bpy.context.scene.tool_settings, mode):\n        paint.unified_paint_settings.size = 2 * 20"),
    # Options of another operator with the same name, and those that one format does not have.
    ("bpy.ops.export_scene.obj(filepath='a.obj', group_by_object=True, use_edges=True)", "bpy.ops.wm.obj_export(filepath='a.obj', export_object_groups=True)"),
    # The first layer is a collection if it is asked for.
    ("b = bpy.data.armatures['A'].bones[0]\nb.layers[0] = True\nprint(1)", "b = bpy.data.armatures['A'].bones[0]\nprint(1)"),
    ("b = bpy.data.armatures['A'].bones[0]\nb.layers[0] = True\nprint(b.layers[0])", "b = bpy.data.armatures['A'].bones[0]\n(b.id_data.collections.get(\"Layer 1\") or b.id_data.collections.new(\"Layer 1\")).assign(b)\nprint((\"Layer 1\" in b.collections))"),
    # Abbreviations keep their capitals.
    ("t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeChannelMatte')\nb.color_space = 'RGB'", "t = bpy.data.node_groups.new('c', 'CompositorNodeTree')\nb = t.nodes.new('CompositorNodeChannelMatte')\nb.inputs[\"Color Space\"].default_value = \"RGB\""),
    # Words that only end like a version, and keys of an own dictionary, guard nothing.
    ("if conversion == 'MESH' or 'a' in PRESETS.keys():\n    bpy.context.scene.update()", "if conversion == 'MESH' or 'a' in PRESETS.keys():\n    bpy.context.view_layer.update()"),
    ("if blender_version == 2 or 'a' in bpy.context.preferences.addons.keys():\n    bpy.context.scene.update()\nprint(1)", None),
    # Adaptive subdivision is one of the modifier.
    ("ob = bpy.data.objects['Cube']\nob.cycles.use_adaptive_subdivision = True", "ob = bpy.data.objects['Cube']\nfor modifier in ob.modifiers:\n    if modifier.type == 'SUBSURF':\n        modifier.use_adaptive_subdivision = True"),
    # Two repairs of one line, one of which belongs to another line.
    ("t = bpy.data.materials['M'].node_tree.nodes.new('ShaderNodeTexImage')\nt.color_space = 'NONE'\nt.image = bpy.data.images.load('a.png', True)", "t = bpy.data.materials['M'].node_tree.nodes.new('ShaderNodeTexImage')\nt.image = bpy.data.images.load('a.png', check_existing=True)\nt.image.colorspace_settings.name = \"Non-Color\""),
    # An axis of the mirror in a panel, and one of what nothing tells.
    ("m = bpy.data.objects['Cube'].modifiers.new('M', 'MIRROR')\nclass P(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.prop(m, 'use_x', text='X')", "m = bpy.data.objects['Cube'].modifiers.new('M', 'MIRROR')\nclass P(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.prop(m, \"use_axis\", text='X', index=0)"),
    ("class P(bpy.types.Panel):\n    def draw(self, context):\n        self.layout.prop(context.object.modifiers['Mirror'], 'use_x', text='X')", None),
]  # fmt: skip
"""What a repair must not change: a script, and what becomes of it, or None if it is left alone."""


@pytest.mark.parametrize(("snippet", "repaired"), KEPT)
def test_a_repair_does_what_the_script_did(snippet: str, repaired: str | None, manifest: Manifest) -> None:
    text = f"import bpy\n{snippet}\n"
    last = {"line": len(text.splitlines()), "type": "TypeError", "message": "something"}
    healed = heal_by_rules(text, verdict(text, last, manifest), manifest)
    assert (healed.snippet if healed else None) == (f"import bpy\n{repaired}\n" if repaired else None)


# --- single rules ------------------------------------------------------------------------------------------


def small(snippet: str, *messages: str) -> HealedSnippet | None:
    raised = {"line": len(snippet.splitlines()), "type": "", "message": ""}
    return heal_by_rules(snippet, verdict(snippet, raised, SMALL, *messages), SMALL)


@pytest.mark.parametrize(
    ("snippet", "messages", "repaired"),
    [
        ("bpy.data\n", ["Undefined name `bpy`"], "import bpy\nbpy.data\n"),
        ("bpy.data\n", ["NameError on line 1: name 'bpy' is not defined"], "import bpy\nbpy.data\n"),
        (
            '"""Doc."""\nfrom __future__ import annotations\nx = Vector()\n',
            ["Undefined name `Vector`", "name 'Vector' is not defined"],
            '"""Doc."""\nfrom __future__ import annotations\nfrom mathutils import Vector\nx = Vector()\n',
        ),
    ],
)
def test_a_missing_import_is_added_once(snippet: str, messages: list[str], repaired: str) -> None:
    healed = small(snippet, *messages)
    assert healed is not None
    assert (healed.snippet, len(healed.faults)) == (repaired, 1)


@pytest.mark.parametrize("message", ["Undefined name `wheel`", "`bpy` imported but unused", "it raised"])
def test_what_no_rule_knows_is_left_alone(message: str) -> None:
    assert small("wheel.turn()\n", message) is None


@pytest.mark.parametrize(
    ("setting", "healed"),
    [("cast_shadow = True", "lamp.use_shadow = True"), ("samples = 4", ""), ("never_was = 4", None)],
)
def test_a_type_that_only_the_exception_shows_is_looked_up(setting: str, healed: str | None) -> None:
    text = f"def of(lamp):\n    lamp.cycles.{setting}\n"
    message = f"'CyclesLightSettings' object has no attribute '{setting.split()[0]}'"
    found = heal_by_rules(text, verdict(text, {"line": 2, "type": "AttributeError", "message": message}, SMALL), SMALL)
    assert (found.snippet if found else None) == (
        None if healed is None else f"def of(lamp):\n    {healed or 'pass'}\n"
    )


def test_what_does_not_parse_is_left_alone() -> None:
    assert small("print 'hello'\n", "Undefined name `bpy`") is None


def test_one_healing_mends_what_was_hidden_behind_the_first_error(manifest: Manifest) -> None:
    text = (
        "import bpy\n\n\ndef build(name, parts):\n    for part in parts:\n        part.draw_type = 'WIRE'\n"
        "        part.show_x_ray = True\n\n\nkept = {'a': [bpy.data.objects['Cube']]}\nbuild('a', kept['a'])\n"
    )
    raised = {"line": 6, "type": "AttributeError", "message": "'Object' object has no attribute 'draw_type'"}
    healed = heal_by_rules(text, verdict(text, raised, manifest), manifest)
    assert healed is not None
    # What the exception says of `part` holds for the other line too.
    assert "part.display_type = 'WIRE'\n        part.show_in_front = True" in healed.snippet
    assert [repair.line for repair in healed.faults] == [6, 7]


# --- edits -------------------------------------------------------------------------------------------------


def test_formatting_and_comments_survive() -> None:
    text = "if x:  # why\n    # gone\n    a(1, b = 2)  # behind\n\n    # kept\n    c()\nd(); e( ); f()\nif y: a(1)\n"
    sight = Sight(text, SMALL, None)
    calls = {sight.code(call.func): sight for call in sight.all(cst.Call)}
    assert list(calls) == ["a", "c", "d", "e", "f"]
    first, _, _, middle, _, last = sight.all(cst.Expr)
    changes = [
        TreeEdit("", first, statements=[]),
        TreeEdit("", middle, statements=["g()", "h()"]),
        TreeEdit("", last, statements=["i = 1", "j = 2"]),
    ]
    assert apply_changes(sight.module, changes) == (
        "if x:  # why\n    # gone\n\n    # kept\n    c()\nd()\ng()\nh()\nf()\nif y: i = 1; j = 2\n"
    )


def test_a_block_that_loses_all_its_statements_gets_a_pass() -> None:
    sight = Sight("def f():\n    # nothing left\n    a()\n", SMALL, None)
    change = TreeEdit("", sight.all(cst.Expr)[0], statements=[])
    assert apply_changes(sight.module, [change]) == "def f():\n    pass\n    # nothing left\n"


# --- odd snippets, and rules that break ------------------------------------------------------------------------


@pytest.mark.parametrize("deep", ["+".join(["1"] * 900), "f" + "(1)" * 500, "-" * 800 + "1", '"a"\\\n' * 400 + '"a"'])
def test_a_snippet_that_nests_deep_is_left_as_it_is(deep: str) -> None:
    snippet = f"import bpy\nx = {deep}\nraise ValueError\n"
    assert heal_by_rules(snippet, failing("execute", line=2, message="ValueError: x"), SMALL) is None


@pytest.mark.parametrize(
    ("setting", "repaired"),
    [
        ('p.inputs["Sheen Tint"].default_value = 1', "= [1 - 1 * (1 - part)"),
        ('p.inputs["Sheen Tint"].default_value = 0x1', "= [1 - 0x1 * (1 - part)"),
        ('p.inputs["Sheen Tint"].default_value = 0x0', "= (1.0, 1.0, 1.0, 1.0)"),
        ("p.inputs[17].default_value = (1, 1, 1, 1)", 'p.inputs["Emission Color"]'),
        ("p.inputs[0x11].default_value = (1, 1, 1, 1)", 'p.inputs["Emission Color"]'),
    ],
)
def test_numbers_are_read_in_all_the_ways_they_are_written(setting: str, repaired: str, manifest: Manifest) -> None:
    text = f'import bpy\n\np = bpy.data.materials["M"].node_tree.nodes["Principled BSDF"]\n{setting}\n'
    healed = heal_by_rules(text, failing("execute", line=4, message="TypeError: it wants a sequence"), manifest)
    assert healed and repaired in healed.snippet


@pytest.mark.parametrize(
    ("settings", "repaired"),
    [
        ("p.inputs[6].default_value = 1.0\np.inputs[9].default_value = 0", ["Metallic", "Roughness"]),
        ("p.inputs[5].default_value = 0.5\np.inputs[7].default_value = 0.5", ["Specular IOR Level", "Roughness"]),
        ("p.inputs[8].default_value = 1.0", None),
        ("q.inputs[4].default_value = 1.0\np.inputs[9].default_value = 0", ["Roughness"]),
    ],
)
def test_numbers_without_a_colour_are_those_of_the_inputs_that_are_often_set(
    settings: str, repaired: list[str] | None, manifest: Manifest
) -> None:
    text = f'import bpy\n\np = bpy.data.materials["M"].node_tree.nodes["Principled BSDF"]\n{settings}\n'
    said = "ValueError: bpy_struct: item.attr = val: sequence expected at dimension 1, not 'int'"
    failed = failing("execute", line=len(text.splitlines()), message=said)
    healed = heal_by_rules(text, failed, manifest)
    assert (re.findall(r'inputs\["(.*?)"\]', healed.snippet) if healed else None) == repaired


def test_a_rule_that_breaks_keeps_the_others_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does to a snippet is lost, and the log says which rule it was."""

    def breaks(sight: Sight) -> list[TreeEdit]:
        raise ValueError("a fault of ours")

    text = "import bpy\n\nbpy.context.object.select = True\n"
    monkeypatch.setattr("app.healing.heal.RULES", [Rule("broken", "", breaks), *RULES])
    with structlog.testing.capture_logs() as logs:
        healed = heal_by_rules(text, failing("execute", line=3), SMALL)
    assert healed and "select_set(True)" in healed.snippet
    assert {line["rule"] for line in logs} == {"broken"}


@pytest.mark.parametrize("line", ["\x0c", "x = '\u2028'", "x = '\x85'"])
def test_a_fault_is_found_below_what_only_splitlines_takes_for_the_end_of_a_line(line: str) -> None:
    sight = Sight(f"import bpy\n{line}\nx = 'ä'; bpy.data.objects['a'].lacation = 1\n", SMALL, None)
    assert [(sight.line(node), sight.code(node)) for _, node in sight.faults] == [(3, "lacation")]


@pytest.mark.parametrize(
    ("line", "there", "new"),
    [
        ('bpy.data.objects["Lamp"].hide_render = True', '"Camera", "Cube", "Light"', '"Light"'),
        ('bpy.data.objects["BezierCurve"].hide_render = True', '"BézierCurve", "Cube"', '"BézierCurve"'),
        ('bpy.data.objects["BezierCurve"].hide_render = True', '"Camera", "Cube", "Light"', None),
        ('bpy.data.materials["Lamp"].use_nodes = True', '"Light"', None),
        ('bpy.context.object.modifiers["Subsurf"].name = "Subsurf"', '"Subdivision"', None),
        ('bpy.data.materials[0].node_tree.nodes["ColorRamp"].mute = True', '"Color Ramp"', '"Color Ramp"'),
        ('bpy.context.scene.view_layers["View Layer"].use = True', '"ViewLayer"', '"ViewLayer"'),
    ],
)
def test_a_default_name_is_looked_for_in_the_collection(
    line: str, there: str, new: str | None, manifest: Manifest
) -> None:
    old = line.split('"')[1]
    told = Finding(
        check="execute",
        code="raised",
        severity=Severity.ERROR,
        message=f"KeyError: 'bpy_prop_collection[key]: key \"{old}\" not found'; there are: {there}",
        line=3,
    )
    found = make_verdict([judged(name, [told] if name == "execute" else []) for name in STAGES], {})
    healed = heal_by_rules(f"import bpy\n\n{line}\n", found, manifest)
    assert (healed.snippet.splitlines()[2] if healed else None) == (line.replace(f'"{old}"', new) if new else None)


# --- the documentation -------------------------------------------------------------------------------------


def rules_list() -> str:
    """The lists of docs/healing-rules.md, from the rules themselves: one per family."""
    parts: list[str] = []
    for family, rules in FAMILIES.items():
        parts.append(f"## {family}\n")
        for rule in rules:
            kind = " (silent)" if rule.silent else " (a guess)" if rule.guess else ""
            line = f"- `{rule.name}`{kind}: {rule.concerns}"
            parts.append(textwrap.fill(line, 118, subsequent_indent="  ", break_on_hyphens=False))
        parts.append("")
    return "\n".join(parts).rstrip()


def test_the_rules_are_listed() -> None:
    assert rules_list() in DOCS.read_text()

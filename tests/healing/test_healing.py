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
from tests.healing.kept import KEPT
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

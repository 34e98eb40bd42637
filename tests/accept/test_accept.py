"""Acceptance checks in real Blender: each kind with a check that is met and a near twin that is not."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import ValidationError

from app.accept import CHECK
from app.accept.examples import EXAMPLES
from app.accept.language import KINDS, PARTS, fields_of, for_a_model, kind_of
from app.checks.accept import acceptance_measures, judge_accept
from app.jobs.request import GenerateRequest, ValidateRequest
from app.llm.message import tokens_of
from app.verdict.rules import load_rules
from app.verdict.verdict import StageState
from harness.blenders import Blender
from harness.execution import execute
from harness.order import Order
from harness.protocol import RenderSettings
from tests.checks.checks_met import MET_AND_NOT
from tests.lending import Lending

SNIPPETS = Path(__file__).parents[1] / "snippets"
START = """
import bpy

panel = bpy.data.objects.new("Panel", bpy.data.curves.new("Panel", "CURVE"))
panel.data.materials.append(bpy.data.materials.new("Paint"))
bpy.context.scene.collection.objects.link(panel)
open("height.txt", "w").write("1")
"""
SCENE = """
import bpy

bpy.data.materials["Paint"].use_backface_culling = True
cube = bpy.data.objects["Cube"]
cube.location = (0, 0, int(open("height.txt").read()))
cube.rotation_euler = (0, 0, 3.14159265 / 2)
bevel = cube.modifiers.new("Edges", "BEVEL")
bevel.width = 0.05
bevel.segments = 3
cube.modifiers.new("Smooth", "SUBSURF").levels = 2
red = bpy.data.materials.new("Red")
red.use_nodes = True
red.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (1, 0, 0, 1)
cube.data.materials.clear()
cube.data.materials.append(red)
props = bpy.data.collections.new("Props")
bpy.context.scene.collection.children.link(props)
child = bpy.data.objects.new("Child", None)
child.parent = cube
props.objects.link(child)
for frame, x in ((1, 0), (40, 3)):
    child.location.x = x
    child.keyframe_insert("location", frame=frame)
bpy.context.scene.frame_end = 40
cube.modifiers.new("Half", "MIRROR").use_axis = (False, True, False)
light = bpy.data.objects["Light"]
light.rotation_mode = "QUATERNION"
light.rotation_quaternion = (0, 1, 0, 0)
light.data.color = (1, 0.5, 0)
light["take"] = 3
child.lock_location = (True, False, True)
mix = red.node_tree.nodes.new("ShaderNodeMixShader")
mix.name = "Blend"
bpy.context.scene.tool_settings.snap_elements_base = {"EDGE", "VERTEX"}
"""


@pytest.mark.blender
async def test_each_kind_of_check_is_met_and_its_near_twin_is_not(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    raw = [one for met, unmet, _ in MET_AND_NOT for one in (met, unmet)]
    checks = tuple(CHECK.validate_python(one).wanted() for one in raw)
    small = RenderSettings(size_px=32, samples=1, engine="workbench", frames=3)
    order = Order(snippet=SCENE, setup_snippet=START, accept=checks, render=small)
    report = await lending.execute(blender, order, tmp_path / "run")
    # A file that the setup left is there in the second run too.
    assert report["claims"]["repeat_exception"] is None
    # Of the frames that the checks name, three are shown.
    assert [one["frame"] for one in report["evidence"]["render"]["frames"]] == [1, 40, 48]
    seen = report["evidence"]["accept"]
    assert [(one["met"], one["seen"]) for one in seen[::2]] == [(True, "")] * len(MET_AND_NOT)
    for found, (_, _, expected) in zip(seen[1::2], MET_AND_NOT, strict=True):
        assert not found["met"]
        assert expected in found["seen"]


@pytest.mark.blender
async def test_each_example_is_met_by_its_scene_and_its_near_twin_is_not(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    scene, start = (SNIPPETS / f"acceptance{end}" for end in (".py", ".setup.py"))
    checks = tuple(CHECK.validate_python(one).wanted() for example in EXAMPLES for one in (example.check, example.twin))
    order = Order(snippet=scene.read_text(), setup_snippet=start.read_text(), accept=checks)
    report = await lending.execute(blender, order, tmp_path / "run")
    seen = report["evidence"]["accept"]
    for example, met, unmet in zip(EXAMPLES, seen[::2], seen[1::2], strict=True):
        assert (met["met"], met["seen"]) == (True, ""), example.says
        assert not unmet["met"] and example.seen in unmet["seen"], example.says
        assert met.get("claimed", False) == (example.check["check"] == "registered")


def fields_given(parts: Any) -> set[str]:
    """The fields that a part of a check, or each of several, gives."""
    if isinstance(parts, list):
        several = cast("list[Any]", parts)  # type: ignore[redundant-cast]
        return {name for part in several for name in fields_given(part)}
    return set(cast("dict[str, Any]", parts)) if isinstance(parts, dict) else set()


def test_every_field_has_an_example_and_stands_in_the_prompt() -> None:
    """`python` has none there: no model judges its own code by its own code."""
    shown: set[tuple[str, str]] = set()
    for one in EXAMPLES:
        shown |= {(one.check["check"], name) for name in {**one.check, **one.twin}}
        for title in PARTS:
            for family in title.split(", "):
                shown |= {(title, name) for name in fields_given(one.check.get(family))}
    wanted = {(kind_of(model), name) for model in KINDS for name, _ in fields_of(model)}
    wanted |= {(title, name) for title, model in PARTS.items() for name, _ in fields_of(model)}
    rare = {("extent", "max"), ("vertices, faces", "at_most")}
    assert {one for one in wanted - shown if one[1] != "tolerance"} - rare == set()
    assert {name for _, name in wanted} - set(re.findall(r"\w+", for_a_model())) == {"says", "code"}
    assert tokens_of(for_a_model()) <= 2000


def test_a_prompt_leaves_out_the_checks_that_a_request_cannot_mean() -> None:
    chair, export = for_a_model("Make a chair"), for_a_model("Make a chair and export it as chair.glb")
    assert '"file"' not in chair and "- bones:" not in chair and '"object"' in chair
    assert '"file"' in export and tokens_of(chair) < tokens_of(export) < tokens_of(for_a_model())
    # Words of another language are not known, so nothing is left out.
    assert for_a_model("Ein Stuhl mit vier Beinen") == for_a_model()


TOWER = """
import bpy


class TowerSettings(bpy.types.PropertyGroup):
    levels: bpy.props.IntProperty(default=4, min=1)


bpy.utils.register_class(TowerSettings)
bpy.types.Scene.tower = bpy.props.PointerProperty(type=TowerSettings)
bpy.types.Object.floors = bpy.props.FloatProperty(default=2.5)
bpy.data.objects["Cube"].location.z = 1
"""


@pytest.mark.blender
async def test_what_is_registered_at_run_time_is_claimed(lending: Lending, blender: Blender, tmp_path: Path) -> None:
    """The witness knows no such property; the process that ran the snippet does, and its word is marked."""
    asked: list[tuple[dict[str, Any], bool, bool, str]] = [
        ({"check": "scene", "values": {"tower.levels": 4, "frame_start": 1}}, True, True, ""),
        ({"check": "scene", "values": {"tower.levels": 5}}, False, True, "tower.levels is 4, not 5"),
        ({"check": "scene", "values": {"tower.levels": 4, "frame_start": 2}}, False, True, "frame_start is 1, not 2"),
        ({"check": "scene", "values": {"tower.floors": 4}}, False, True, "it has no property tower.floors"),
        ({"check": "scene", "values": {"frame_strat": 1}}, False, False, "it has no property frame_strat"),
        ({"check": "object", "type": "CAMERA", "values": {"floors": 2.5}}, True, True, ""),
        (
            {"check": "object", "name": "Cube", "location": [0, 0, 2], "values": {"floors": 2.5}},
            False,
            True,
            "location",
        ),
        (
            {"check": "data", "collection": "objects", "name": "Cube", "values": {"floors": 2}},
            False,
            True,
            "floors is 2.5",
        ),
        ({"check": "registered", "kind": "property_group", "name": "TowerSettings"}, True, True, ""),
        ({"check": "registered", "kind": "property_group"}, True, True, ""),
        ({"check": "registered", "kind": "panel", "name": "TowerSettings"}, False, True, "no panel"),
        ({"check": "registered", "kind": "operator"}, False, True, "no operator is registered"),
        ({"check": "registered", "kind": "handler"}, False, True, "there is no handler"),
        ({"check": "registered", "kind": "handler", "name": "frame_change_post"}, False, True, "no handler"),
        (
            {"check": "python", "says": "4", "code": "bpy.context.scene.tower"},
            False,
            False,
            "check it with",
        ),
    ]
    checks = tuple(CHECK.validate_python(one).wanted() for one, *_ in asked)
    report = await lending.execute(blender, Order(snippet=TOWER, accept=checks), tmp_path / "run")
    seen = report["evidence"]["accept"]
    assert [(one["met"], one.get("claimed", False)) for one in seen] == [(met, claimed) for _, met, claimed, _ in asked]
    assert all(said in found["seen"] for found, (*_, said) in zip(seen, asked, strict=True))
    assert not any(found.get("met_at_start") for found in seen)


@pytest.mark.blender
async def test_a_check_of_what_its_type_cannot_have_is_broken(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    """A near twin asks for what another lamp has, or what the thing lacks, and is not met; so is what else it says."""
    light: dict[str, Any] = {"check": "object", "name": "Light"}
    asked: list[tuple[dict[str, Any], str, str]] = [
        ({**light, "values": {"data.enrgy": 5}}, "broken", "PointLight has no enrgy"),
        ({**light, "values": {"data.spot_size": 1}}, "not met", "it has no property data.spot_size"),
        ({**light, "values": {"data.enrgy": 5}, "location": [0, 0, 9]}, "not met", "its location is"),
        ({**light, "values": {"tower": 5}}, "not met", "it has no property tower"),
        ({**light, "values": {"rigid_body.mass": 5}}, "not met", "it has no property rigid_body.mass"),
        ({**light, "values": {"rigid_body_world.mass": 5}}, "not met", "it has no property"),
        ({"check": "object", "type": "MESH", "values": {"data.verts": 8}}, "broken", "Mesh has no verts"),
        (
            {"check": "object", "name": "Cube", "values": {"data.energy": 5}},
            "not met",
            "it has no property data.energy",
        ),
        ({"check": "object", "added": True, "values": {"data.lens": 5}}, "not met", "there is no object"),
        ({"check": "object", "which": "every", "values": {"data.users": 1}}, "met", ""),
        (
            {"check": "object", "name": "Cube", "modifiers": [{"type": "BEVEL", "values": {"w": 1}}]},
            "not met",
            "it has no BEVEL",
        ),
    ]
    checks = tuple(CHECK.validate_python(one).wanted() for one, *_ in asked)
    report = await lending.execute(blender, Order(snippet="pass\n", accept=checks), tmp_path / "run")
    seen = report["evidence"]["accept"]
    ended = ["met" if one["met"] else "broken" if one.get("broken") else "not met" for one in seen]
    assert ended == [end for _, end, _ in asked], seen
    assert all(said in one["seen"] for one, (*_, said) in zip(seen, asked, strict=True)), seen


@pytest.mark.blender
async def test_what_the_start_does_not_have_is_not_as_before(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    asked = [{"check": "object", "name": name, "as_before": ["location"]} for name in ("Cube", "Sphere")]
    snippet = "import bpy\nbpy.ops.mesh.primitive_uv_sphere_add()\nbpy.context.object.name = 'Sphere'\n"
    checks = tuple(CHECK.validate_python(one).wanted() for one in asked)
    still = RenderSettings(views=())
    report = await lending.execute(blender, Order(snippet=snippet, accept=checks, render=still), tmp_path / "run")
    seen = [(one["met"], one["seen"]) for one in report["evidence"]["accept"]]
    assert seen == [(True, ""), (False, 'object "Sphere": the start has no location of it')]


FALL = """
import bpy

scene = bpy.context.scene
floor = bpy.data.objects.new("Floor", bpy.data.meshes.new("Floor"))
floor.data.from_pydata([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [], [(0, 1, 2, 3)])
scene.collection.objects.link(floor)
pin = bpy.data.objects["Cube"]
pin.scale, pin.location = (0.2, 0.2, 1), (0, 0, 1.2)
pin.rotation_euler.x = 0.4
if scene.rigidbody_world is None:
    bpy.ops.rigidbody.world_add()
for obj, kind in ((floor, "PASSIVE"), (pin, "ACTIVE")):
    bpy.context.view_layer.objects.active = obj
    if obj.rigid_body is None:
        bpy.ops.rigidbody.object_add(type=kind)
    obj.rigid_body.collision_shape = "BOX"
scene.frame_set(200)
"""


@pytest.mark.blender
async def test_a_simulation_is_played_until_the_frame_of_a_check(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    """The pin stands askew at first, falls, and lies at rest. What was played is seen though no time is left."""
    pin: dict[str, Any] = {"check": "object", "name": "Cube"}
    asked = [
        {**pin, "frame": 12, "at_rest": True},
        {**pin, "frame": 150, "at_rest": True, "tilt": {"at_least": 1.4}},
        {**pin, "frame": 1, "tilt": {"at_least": 1.4}},
        {**pin, "at_rest": True},
        {**pin, "frame": 1_000_000, "tilt": {"at_least": 1.4}},
        {**pin, "frame": 151.5, "at_rest": True, "as_at": 180},
    ]
    checks = tuple(CHECK.validate_python(one).wanted() for one in asked)
    still = RenderSettings(views=())
    report = await lending.execute(blender, Order(snippet=FALL, accept=checks, render=still), tmp_path / "run")
    seen = report["evidence"]["accept"]
    assert [one["met"] for one in seen] == [False, True, False, True, False, True], seen
    assert "at frame 11 differs" in seen[0]["seen"] and "it is tilted by 0.4" in seen[2]["seen"]
    assert "frame 1e+06 cannot be seen in time" in seen[4]["seen"]


@pytest.mark.blender
async def test_a_form_is_the_same_though_it_is_computed_anew(
    lending: Lending, blender: Blender, tmp_path: Path
) -> None:
    setup = "import bpy\nbpy.ops.mesh.primitive_cube_add(location=(4, 0, 0))\nbpy.context.object.name = 'Other'\n"
    snippet = "import bpy\nbpy.data.objects['Cube'].scale.z += 2e-5\nbpy.data.objects['Other'].scale.z += 2e-2\n"
    asked = [{"check": "change", "name": name, "same_shape": True} for name in ("Cube", "Other")]
    checks = tuple(CHECK.validate_python(one).wanted() for one in asked)
    order = Order(snippet=snippet, setup_snippet=setup, accept=checks, render=RenderSettings(views=()))
    report = await lending.execute(blender, order, tmp_path / "run")
    assert [one["met"] for one in report["evidence"]["accept"]] == [True, False]


@pytest.mark.parametrize(("met", "counted"), [(True, 2), (False, 1)])
def test_what_stays_counts_if_the_rest_changed_as_asked(met: bool, counted: int) -> None:
    """Otherwise it says nothing: the scene before meets it too, whatever was done."""
    stays = CHECK.validate_python({"check": "object", "name": "Cube", "as_before": ["location"]})
    at_start = {"met": True, "seen": "", "met_at_start": True}
    seen = [{"met": met, "seen": "it is missing", "met_at_start": False}, at_start, at_start]
    report: dict[str, Any] = {"evidence": {"accept": seen}, "claims": {"registered": []}}
    measured = acceptance_measures([NEW_MESH, stays, NEW_MESH], report, "model")["acceptance"]
    assert (measured["made"], measured["dropped"]) == (counted, 3 - counted)


NEW_MESH = CHECK.validate_python({"check": "object", "type": "MESH"})


@pytest.mark.parametrize(
    ("by", "answer", "state", "counts", "unchecked"),
    [
        (
            "model",
            {"met": True, "met_at_start": True},
            StageState.SKIPPED,
            [1, 0, 0, 1, 0],
            "meets its one check already",
        ),
        ("request", {"met": True, "met_at_start": True}, StageState.PASSED, [1, 1, 1, 0, 0], None),
        ("model", {"met": True, "met_at_start": False}, StageState.PASSED, [1, 1, 1, 0, 0], None),
        ("commands", {"met": False, "met_at_start": True}, StageState.FAILED, [1, 1, 0, 0, 0], None),
        ("model", {"met": True, "claimed": True}, StageState.PASSED, [1, 1, 1, 0, 1], "checked from outside"),
        (
            "model",
            {"met": False, "broken": True, "seen": "Mesh has no foo"},
            StageState.SKIPPED,
            [1, 0, 0, 1, 0],
            "what cannot be made",
        ),
        ("request", {"met": False, "broken": True}, StageState.FAILED, [1, 1, 0, 0, 0], None),
        ("model", None, StageState.SKIPPED, [0, 0, 0, 0, 0], "it carries no acceptance checks"),
    ],
)
def test_a_derived_check_that_the_start_meets_is_not_counted(
    by: Any, answer: dict[str, Any] | None, state: StageState, counts: list[int], unchecked: str | None
) -> None:
    checks, seen = ([NEW_MESH], [{"seen": "", **answer}]) if answer else ([], [])
    report: dict[str, Any] = {"evidence": {"accept": seen}, "claims": {"registered": []}}
    stage = judge_accept(checks, report, "model", load_rules(), by)
    measured = acceptance_measures(checks, report, by)["acceptance"]
    assert stage.state is state
    assert list(measured.values())[:5] == counts
    assert (unchecked in (measured["unchecked"] or "")) if unchecked else measured["unchecked"] is None
    assert len(stage.findings) == (measured["dropped"] + measured["claimed"] + (state is StageState.FAILED))


def test_what_cannot_be_read_as_a_check_is_noted_in_the_verdict() -> None:
    met: dict[str, Any] = {"evidence": {"accept": [{"met": True, "seen": ""}]}, "claims": {"registered": []}}
    stage = judge_accept([NEW_MESH], met, "model", load_rules(), "model", ["{}: no check"])
    assert (stage.state, [one.code for one in stage.findings]) == (StageState.PASSED, ["not-read"])
    assert "cannot be read or made: {}: no check" in stage.findings[0].message
    none = judge_accept([], met, "model", load_rules(), "model", ["{}: no check"])
    assert (none.state, len(none.findings)) == (StageState.SKIPPED, 1)
    counts = acceptance_measures([], met, "model", ["{}: no check"])["acceptance"]
    assert counts["unread"] == 1 and "no check that the model derived can be read and made" in counts["unchecked"]


@pytest.mark.parametrize(
    ("by", "frame", "registered", "state"),
    [
        ("model", 42, [["handler frame_change_post", "show"]], StageState.SKIPPED),
        ("model", 42, [["operator", "show"]], StageState.FAILED),
        ("model", None, [["handler frame_change_post", "show"]], StageState.FAILED),
        ("request", 42, [["handler frame_change_post", "show"]], StageState.FAILED),
    ],
)
def test_what_only_a_handler_of_the_snippet_shows_is_not_held_against_it(
    by: Any, frame: int | None, registered: list[list[str]], state: StageState
) -> None:
    at = {"frame": frame} if frame else {}
    check = CHECK.validate_python({"check": "object", "name": "Counter", "values": {"data.body": "42"}, **at})
    seen = [{"met": False, "seen": "data.body is 33"}]
    report = {"evidence": {"accept": seen}, "claims": {"registered": registered}}
    stage = judge_accept([check], report, "model", load_rules(), by)
    assert stage.state is state
    code = "shown-by-a-handler" if state is StageState.SKIPPED else "not-met"
    assert [finding.code for finding in stage.findings] == [code]


@pytest.mark.blender
async def test_an_assertion_cannot_spoil_the_evidence(blender: Blender, tmp_path: Path) -> None:
    """It may empty the scene, write everywhere it can and end the process; what was seen before stays."""
    hostile = (
        "import os, pathlib\n"
        "for name in ('examine/out/evidence.json', 'kept/after.blend', 'examine/out/three_quarter.png'):\n"
        f"    path = pathlib.Path({str(tmp_path / 'run')!r}, name)\n"
        "    try:\n        path.write_text('forged')\n    except OSError:\n        pass\n"
        "bpy.ops.wm.read_factory_settings(use_empty=True)\n"
        "os._exit(0)\n"
    )
    checks = (
        {"check": "python", "says": "holds", "code": "assert len(bpy.data.objects) == 3"},
        {"check": "python", "says": "leaves", "code": hostile},
        {"check": "python", "says": "is asked by itself", "code": "pass"},
    )
    report = await execute(blender, Order(snippet="import bpy\n", accept=checks), tmp_path / "run")
    evidence = report["evidence"]
    assert [one["met"] for one in evidence["accept"]] == [True, False, True]
    assert "it ended its process" in evidence["accept"][1]["seen"]
    assert (report["outcome"], set(evidence["scene"]["objects"])) == ("passed", {"Cube", "Light", "Camera"})
    pictures = [tmp_path / "run" / "examine" / "out" / one["file"] for one in evidence["render"]["pictures"]]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in pictures)
    assert (tmp_path / "run" / "kept" / "after.blend").read_bytes() != b"forged"


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("any number is at least 0", {"check": "count", "type": "MESH", "at_least": 0}),
    ("no number is at least 3 and at most 2", {"check": "count", "at_least": 3, "at_most": 2}),
    ("give either `exactly`", {"check": "count", "exactly": 3, "at_least": 3}),
    ("with `of` give `name` or `values`", {"check": "count", "of": "images", "type": "MESH", "exactly": 1}),
    ("bpy.data has no lamps", {"check": "count", "of": "lamps", "exactly": 1}),
    ("no number is at least 3 and at most 2", {"check": "scene", "values": {"a": {"at_least": 3, "at_most": 2}}}),
    ("leave the field out", {"check": "object", "name": "A", "location": [None, None, None]}),
    ("say which property", {"check": "registered", "kind": "property"}),
    ("no object is of type LAMP", {"check": "object", "type": "LAMP"}),
    ("reads as degrees: write 0.785398", {"check": "object", "name": "A", "rotation": [0, 0, 45]}),
    ("reads as degrees", {"check": "change", "name": "A", "turned": [90, 0, 0]}),
    ("reads as degrees", {"check": "data", "collection": "objects", "values": {"rotation_euler": [0, 0, 30]}}),
    ("begins at the thing", {"check": "scene", "values": {"bpy.context.scene.frame_end": 48}}),
    ("calls nothing", {"check": "object", "name": "A", "values": {"data.vertices.keys()": 8}}),
    ("is no path of properties", {"check": "object", "name": "A", "values": {"].[": 1}}),
    ("is no path of properties", {"check": "object", "name": "A", "values": {"location x": 1}}),
    ("give only its `name` or `type`", {"check": "object", "name": "A", "absent": True, "location": [0, 0, 0]}),
    (
        "what is absent has no values",
        {"check": "object", "name": "A", "modifiers": [{"type": "BEVEL", "absent": True, "values": {"width": 1}}]},
    ),
    ("say what `every` object must be", {"check": "object", "which": "every"}),
    ("say what became of it", {"check": "change", "name": "Cube"}),
    ("say how far it extends", {"check": "object", "name": "A", "extent": {"min": [None, None, None]}}),
    ("is no node tree", {"check": "nodes", "tree": "Gold", "nodes": [{"type": "ShaderNodeMath"}]}),
    ("say which node", {"check": "nodes", "tree": "world", "nodes": [{"values": {"operation": "ADD"}}]}),
    ("say what the scene must have", {"check": "scene", "values": {}}),
    ("give the path from the working folder", {"check": "file", "name": "/tmp/a.png"}),
    ("a handler has no `values`", {"check": "registered", "kind": "handler", "name": "load_post", "values": {"a": 1}}),
    ("less_than", {"check": "object", "type": "MESH", "vertices": 10**40}),
    ("which object", {"check": "object", "dimensions": [1, 1, 1]}),
    ("how many", {"check": "count", "type": "MESH"}),
    ("which material or what it has", {"check": "material"}),
    ("extra", {"check": "object", "name": "A", "dimension": [1, 1, 1]}),
    ("too_short", {"check": "object", "name": "A", "location": [1, 1]}),
    ("finite", {"check": "object", "name": "A", "location": [1, 1, math.nan]}),
    ("does not match any", {"check": "objects", "name": "A"}),
]


@pytest.mark.parametrize(("why", "check"), REFUSED, ids=[why for why, _ in REFUSED])
def test_a_check_that_says_nothing_or_something_unknown_is_refused(why: str, check: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as caught:
        GenerateRequest.model_validate({"request": "x", "accept": [check]})
    assert why in str(caught.value)


def test_few_assertions_and_few_checks() -> None:
    one = {"check": "python", "says": "x", "code": "pass"}
    count = {"check": "count", "at_least": 1}
    assert len(ValidateRequest.model_validate({"snippet": "x", "accept": [one] * 10 + [count] * 30}).accept) == 40
    for wrong in ([one] * 11, [count] * 41):
        with pytest.raises(ValidationError):
            ValidateRequest.model_validate({"snippet": "x", "accept": wrong})

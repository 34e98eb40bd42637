"""The evidence is complete: two objects of one name are two, a limit that is reached fails, and numbers are numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.checks.execution import judge_scene
from app.verdict.rules import load_rules
from harness import wording
from harness.blenders import Blender
from harness.endings import without_surrogates
from harness.order import Order
from harness.protocol import RenderSettings
from harness.wording import changes_report, scene_report
from tests.harness.in_wheel import run_in_wheel
from tests.lending import Lending

SMALL = RenderSettings(size_px=32, samples=1)
RULES = load_rules()


TWO_RINGS = """
import bpy, os
path = os.path.abspath("lib.blend")
here = bpy.context.scene.collection
if not any(obj.library for obj in bpy.data.objects):
    gold = bpy.data.materials.new("Gold")
    bpy.ops.mesh.primitive_uv_sphere_add(radius=5, location=(0, 20, 0))
    far = bpy.context.object
    far.name = "Ring"
    far.data.materials.append(gold)
    far.modifiers.new("Bevel", "BEVEL")
    bpy.data.libraries.write(path, {far}, path_remap="NONE")
    bpy.data.objects.remove(far)
    bpy.data.materials.remove(gold)
    bpy.data.materials.new("Gold").use_fake_user = True
    bpy.ops.mesh.primitive_torus_add(major_radius=1, minor_radius=0.25)
    bpy.context.object.name = "Ring"
    with bpy.data.libraries.load(path, link=True) as (_, into):
        into.objects = ["Ring"]
    here.objects.link(into.objects[0])
"""
BEVEL: dict[str, Any] = {"type": "BEVEL", "values": {}}
SIZE = {"dimensions": [2.5, 2.5, 0.5], "tolerance": 0.05}
RING_CHECKS: list[tuple[dict[str, Any], bool]] = [
    ({"check": "object", "name": "Ring", **SIZE}, True),
    ({"check": "object", "name": "Ring [lib.blend]", "modifiers": [BEVEL]}, True),
    ({"check": "object", "name": "Ring", **SIZE, "modifiers": [BEVEL]}, False),
    ({"check": "object", "name": "Ring [lib.blend]", **SIZE}, False),
    ({"check": "object", "name": "Ring", "materials": ["Gold"]}, False),
    ({"check": "count", "name": "Ring", "exactly": 2}, True),
    ({"check": "count", "name": "Ring", "at_most": 1}, False),
    ({"check": "count", "of": "materials", "name": "Gold", "exactly": 2}, True),
]


@pytest.mark.blender
async def test_a_linked_and_a_local_object_of_one_name_are_two(
    blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    order = Order(TWO_RINGS, render=SMALL, accept=tuple(accepted(check) for check, _ in RING_CHECKS))
    report = await lending.execute(blender, order, tmp_path / "job")
    assert report["outcome"] == "passed", report["reason"]
    scene = report["evidence"]["scene"]
    assert {"Ring", "Ring [lib.blend]"} <= scene["objects"].keys()
    assert {"Gold", "Gold [lib.blend]"} <= scene["materials"].keys()
    assert [one["met"] for one in report["evidence"]["accept"]] == [met for _, met in RING_CHECKS]


def accepted(check: dict[str, Any]) -> dict[str, Any]:
    """A check with the fields that the interface fills in."""
    return {"tolerance": 0.01, "values": {}, **check}


NOT_A_NUMBER = "import bpy\ncube = bpy.data.objects['Cube']\n"


@pytest.mark.blender
@pytest.mark.parametrize(
    ("source", "codes"),
    [
        ("cube.location.x = float('nan')", ["non-finite-coordinates"]),
        ("cube.rotation_euler.z = float('inf')", ["non-finite-coordinates"]),
        ("bpy.data.objects['Light'].scale.x = float('inf')", ["non-finite-coordinates"]),
        ("cube.delta_location.y = float('-inf')", ["non-finite-coordinates"]),
        ("bpy.data.objects['Camera'].parent = cube\ncube.scale = (float('nan'),) * 3", ["non-finite-coordinates"] * 2),
        ("cube.location.x = 1e9", []),
        ("cube.scale = (1e-6, 1, 1)", []),
    ],
)
async def test_a_place_that_is_no_number_fails_the_scene(
    source: str, codes: list[str], blender: Blender, lending: Lending, tmp_path: Path
) -> None:
    report = await lending.execute(blender, Order(NOT_A_NUMBER + source, render=SMALL), tmp_path / "job")
    stage = judge_scene(report, "caller", RULES)
    assert [one.code for one in stage.findings if one.severity == "error"] == codes


LIMITED = """
import sys
sys.path.insert(0, sys.argv[1])
import bpy
from harness.inside.witness import accept
from harness.inside.scene import describe
bpy.ops.wm.read_factory_settings()
start = describe.describe()
count = {"check": "count", "tolerance": 0.01, "values": {}}
checks = [
    {**count, "type": "LIGHT", "at_most": 3},
    {**count, "name": "C*", "exactly": 2},
    {"check": "object", "type": "FONT", "absent": True, "tolerance": 0.01, "values": {}},
    {"check": "scene", "tolerance": 0.01, "values": {"frame_end": 250}},
]
assert [one["met"] for one in accept.look_at(checks, start, describe.describe())] == [True] * 4
describe.OBJECT_LIMIT = 2
after = describe.describe()
assert (len(after["objects"]), after["objects_left_out"]) == (2, 1)
seen = accept.look_at(checks, start, after)
assert [one["met"] for one in seen] == [False, False, False, True], seen
assert seen[0]["seen"] == "there are 3 objects, and only 2 are looked at", seen
added = [{**count, "added": True, "at_most": 0}]
assert accept.look_at(added, after, start)[0]["seen"].startswith("before the snippet there were 3"), added
"""


@pytest.mark.blender
def test_a_check_that_cannot_see_all_objects_is_not_met(blender: Blender, tmp_path: Path) -> None:
    run_in_wheel(blender, LIMITED, tmp_path)


def test_escaping_never_makes_two_names_one() -> None:
    names = ["a\udcff", "a\\udcff", "a\x1fff", "a\u1fff", "a\\x1fff", "a\r\n", "a\n"]
    told = without_surrogates(dict.fromkeys(names, 0))
    assert len(told) == len(names)
    json.dumps(told, ensure_ascii=False).encode()


def scene_of(count: int, **facts: Any) -> dict[str, Any]:
    objects = {f"Object {number:05}": {"type": "EMPTY", "settings": "x" * 300, **facts} for number in range(count)}
    scene: dict[str, Any] = {"active_object": None, "camera": None, "selected": []}
    return {"objects": objects, "materials": {}, "collections": {"All": sorted(objects)}, "scene": scene}


def test_what_is_told_of_many_objects_is_bounded_and_begins_with_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, measured = wording.size, list[Any]()

    def size(value: Any) -> int:
        measured.append(value)
        return own(value)

    monkeypatch.setattr(wording, "size", size)
    none: dict[str, Any] = {"objects": [], "materials": [], "collections": []}
    changes: dict[str, Any] = {
        "added": {**none, "objects": [f"Object {n:05}" for n in range(5_000, 10_000)]},
        "removed": none,
    }
    changes["changed"] = {**none, "scene": []}
    scene = scene_of(10_000)
    scene["objects"]["Object 09999"]["finite"] = False
    told = scene_report(scene, changes)
    assert next(iter(told["objects"])) == "Object 09999"
    assert set(told["objects"]) <= {*changes["added"]["objects"]}
    assert len(told["objects"]) + told["objects_untold"] == 10_000
    # What is left out is not looked through.
    assert len(measured) < 20_000
    assert len(json.dumps([told, changes_report(changes)])) < 600_000
    assert changes_report(changes)["left_out"] > 0


def test_what_is_active_or_has_a_name_of_its_own_is_told_among_many() -> None:
    none: dict[str, Any] = {"objects": [], "materials": [], "collections": []}
    changes: dict[str, Any] = {"added": none, "removed": none, "changed": {**none, "scene": list[str]()}}
    scene = scene_of(10_000)
    scene["objects"]["Zebra"] = scene["objects"]["Object 00000"]
    scene["scene"]["active_object"] = "Object 07777"
    told = list(scene_report(scene, changes)["objects"])
    assert told[:3] == ["Object 07777", "Object 00000", "Zebra"] and "Object 09999" not in told


def test_of_a_few_objects_all_is_told_in_their_order() -> None:
    none: dict[str, Any] = {"objects": [], "materials": [], "collections": []}
    changes: dict[str, Any] = {"added": none, "removed": none, "changed": {**none, "scene": list[str]()}}
    scene = scene_of(20)
    assert scene_report(scene, changes) == {**scene, "objects_untold": 0}
    assert changes_report(changes) == changes

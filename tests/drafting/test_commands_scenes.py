"""Each kind of operation on a scene of the user's own: parented, turned by quaternions, scaled, with shared meshes,
hidden, disabled and excluded objects, children, and names that are taken. It is measured in the world.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from app.drafting.commands import Commands
from app.drafting.draft import NotUnderstood
from tests.drafting.commands_in_blender import HOLLOW, job_of, run_jobs
from tests.drafting.installed import blender_of

pytestmark = pytest.mark.blender

SCENE = """
import bpy, json
from math import radians
from mathutils import Quaternion
scene, layer = bpy.context.scene, bpy.context.view_layer
away = bpy.data.collections.new("Away")
scene.collection.children.link(away)

def place(obj, name, location, parent=None, where=scene.collection):
    obj.name, obj.location, obj.parent = name, location, parent
    if obj.name not in where.objects and obj.name not in scene.objects:
        where.objects.link(obj)
    return obj

pivot = place(bpy.data.objects.new("Pivot", None), "Pivot", (1, 2, 0))
pivot.rotation_euler, pivot.scale = (0, 0, radians(30)), (2, 2, 2)
box = place(bpy.data.objects["Cube"], "Box", (0, 1, 0), pivot)
box.rotation_mode, box.scale = "QUATERNION", (1, 1, 2)
box.rotation_quaternion = Quaternion((1, 0, 0), radians(90))
place(box.copy(), "Twin", (8, 0, 0))  # it shares the mesh of Box
hat = place(bpy.data.objects.new("Hat", box.data.copy()), "Hat", (0, 0, 3), box)
hat.scale = (0.5, 0.5, 0.5)
hidden = place(box.copy(), "Hidden", (0, 9, 0))
off = place(box.copy(), "Off", (0, 12, 0), pivot)
excluded = place(box.copy(), "Excluded", (0, 15, 0), None, away)
for obj in (hidden, off, excluded):
    obj.data = box.data.copy()
red = bpy.data.materials.new("Red")
ring = place(bpy.data.objects.new("Ring", bpy.data.meshes.new("Ring")), "Ring", (0, 0, 0))
ring.data.materials.append(red)
layer.update()
hidden.hide_set(True)
off.hide_viewport = True
for obj in layer.objects:
    obj.select_set(obj.name in ("Box", "Twin"))
layer.objects.active = box
layer.layer_collection.children["Away"].exclude = True
layer.update()
scene["was"] = json.dumps({obj.name: [list(row) for row in obj.matrix_world] for obj in layer.objects})
"""
FACTS = """
import json
from math import radians, isclose
from mathutils import Matrix, Vector, Quaternion, Euler
D = bpy.data; S = bpy.context.scene; bpy.context.view_layer.update()
W = {n: Matrix(m) for n, m in json.loads(S["was"]).items()}
def at(n): return D.objects[n].matrix_world
def near(a, b): return all(abs(x - y) < 1e-3 for x, y in zip(a, b, strict=True))
def same(*names): return all(near([v for r in at(n) for v in r], [v for r in W[n] for v in r]) for n in names)
def turned(n, q): return abs(abs((at(n).to_quaternion().dot(q))) - 1) < 1e-4
"""

ROWS = tomllib.loads(Path(__file__).with_name("commands_on_scenes.toml").read_text(encoding="utf-8"))
DONE = {row["request"]: row["true"] for row in ROWS["done"]}
REFUSED_BY_THE_SNIPPET = {row["request"]: row["reason"] for row in ROWS["refused"]}


@pytest.mark.parametrize("series", ["4.2", "5.0"])
def test_operations_are_right_on_a_scene_of_ones_own(series: str, home: Path, tmp_path: Path) -> None:
    blender, manifest = blender_of(home, series)
    commands = Commands()
    jobs = [job_of(commands.draft(request, manifest), SCENE, FACTS + own) for request, own in DONE.items()]
    told = run_jobs(blender, jobs, tmp_path)
    wrong = [
        f"{request}: {one['failed']}: {one['message']}"
        for request, one in zip(DONE, told, strict=True)
        if one["failed"] and HOLLOW not in one["message"]
    ]
    assert wrong == []


def test_what_cannot_be_done_is_said(home: Path, tmp_path: Path) -> None:
    blender, manifest = blender_of(home, "5.0")
    commands = Commands()
    jobs = [job_of(commands.draft(request, manifest), SCENE) for request in REFUSED_BY_THE_SNIPPET]
    told = run_jobs(blender, jobs, tmp_path)
    said = dict(zip(REFUSED_BY_THE_SNIPPET, told, strict=True))
    for request, reason in REFUSED_BY_THE_SNIPPET.items():
        assert said[request]["failed"] == "snippet" and reason in said[request]["message"], said[request]
    with pytest.raises(NotUnderstood, match="Rename one object at a time"):
        commands.draft("Rename the selected objects to X", manifest)

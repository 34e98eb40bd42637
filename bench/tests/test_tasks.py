"""The bench of tasks: what counts as held, as wrong, as not proven, and the figures of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.task import TASKS, Task, read_tasks
from bench.tasks import Ending, Result, in_warm_blender, table
from harness.blenders import Blender

OBJECTS = TASKS.with_name("tasks-objects.jsonl")
SCENES = TASKS.with_name("tasks-scenes.jsonl")
TWINS = TASKS.with_name("twins-scenes.jsonl")
"""For each task on a user's scene a right snippet and one that nearly is."""
MOVES = "import bpy\n\nbpy.data.objects['Cube'].location.x = 3.0\n"
RIGHT = "def check(bpy):\n    assert bpy.data.objects['Cube'].location.x == 3\n"


def task(check: str = RIGHT, style: str = "a") -> Task:
    return Task("one", "modelling", style, "move the cube to x = 3", "", check, (4, 2, 0), None)


def test_our_own_tasks_are_of_every_area_and_style_and_half_of_them_kept_aside() -> None:
    tasks = read_tasks(TASKS)
    assert len({each.id for each in tasks}) == len(tasks) >= 150
    assert len({(each.area, each.style) for each in tasks}) == 8 * 3
    assert abs(sum(each.id.startswith("held-") for each in tasks) - len(tasks) / 2) <= 8
    for each in tasks:
        compile(each.setup + "\n" + each.check, each.id, "exec")


def test_the_objects_are_twenty_and_their_checks_are_python() -> None:
    tasks = read_tasks(OBJECTS)
    assert len({each.id for each in tasks}) == 20
    for each in tasks:
        compile(each.check, each.id, "exec")


def test_a_task_is_read_as_it_is_written(tmp_path: Path) -> None:
    facts = {**task().__dict__, "min_version": [4, 2, 0], "max_version": [5, 0, 9]}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(facts) + "\n", encoding="utf-8")
    [read] = read_tasks(tmp_path / "tasks.jsonl")
    assert read.max_version == (5, 0, 9)
    assert read.request == task().request


def test_the_figures_tell_wrong_from_refused() -> None:
    endings: list[Ending] = ["held", "held", "wrong", "refused"]
    rows = table([Result(task(style="a"), ending, "", 1.0) for ending in endings])
    assert rows[-1].split() == ["all", "4", "3", "2", "50%", "1", "25%", "1", "1.00"]


TOWER = """
import bpy, bmesh
for i in range(8):
    mesh, name = bpy.data.meshes.new(f"P{i}"), f"M{i % 4}"
    mark = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, segments=64, radius1=3, radius2=2, depth=3, cap_ends=True)
    bm.to_mesh(mesh)
    mesh.materials.append(mark)
    part = bpy.data.objects.new(f"P{i}", mesh)
    part.location.z = 1.5 + 3 * i
    bpy.context.scene.collection.objects.link(part)
"""


@pytest.mark.blender
def test_the_checks_of_objects_tell_size_place_and_materials(blender: Blender) -> None:
    lighthouse = next(each for each in read_tasks(OBJECTS) if "lighthouse" in each.id)
    snippets = [TOWER, TOWER.replace("3 * i", "i"), TOWER.replace("1.5 +", "9 +"), TOWER.replace("i % 4", "0")]
    ended = in_warm_blender(blender, [(lighthouse, snippet, 0.0) for snippet in snippets])
    assert [each.ending for each in ended[1:]] == ["wrong"] * 3
    assert [each.why.split("AssertionError: ")[1].split()[0:2] for each in ended[1:]] == [
        ["it", "is"],
        ["it", "stands"],
        ["only", "the"],
    ]
    # Its check holds; that it adds all of it once more is what fails.
    assert ended[0].why.startswith("repeat")


@pytest.mark.blender
def test_a_check_that_fails_is_wrong_and_a_snippet_that_raises_is_not_proven(blender: Blender) -> None:
    wrong = RIGHT.replace("3\n", "4\n")
    unused = "import bpy\n\nmore = bpy.data.meshes.new('More')\n"
    again = f"{unused}bpy.context.collection.objects.link(bpy.data.objects.new('More', more))\n"
    jobs = [(task(), MOVES, 0.0), (task(wrong), MOVES, 0.0), (task(), "1 / 0\n", 0.0)]
    jobs += [(task(), MOVES + again, 0.0), (task(), MOVES + unused, 0.0)]
    ended = [each.ending for each in in_warm_blender(blender, jobs)]
    assert ended == ["held", "wrong", "not_proven", "not_proven", "held"]


@pytest.mark.blender
def test_each_check_of_a_users_scene_accepts_what_is_right_and_refuses_what_nearly_is(blender: Blender) -> None:
    twins: list[dict[str, str]] = [json.loads(line) for line in TWINS.read_text(encoding="utf-8").splitlines()]
    tasks = read_tasks(SCENES)
    assert [twin["id"] for twin in twins] == [each.id for each in tasks]
    assert len(tasks) == 30
    for kind, ending in (("right", "held"), ("wrong", "wrong")):
        ended = in_warm_blender(blender, [(each, twin[kind], 0.0) for each, twin in zip(tasks, twins, strict=True)])
        assert [f"{each.task.id}: {each.why}" for each in ended if each.ending != ending] == []
        assert ending == "held" or all("AssertionError" in each.why for each in ended)

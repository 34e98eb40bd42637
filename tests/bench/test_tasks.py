"""The bench of tasks: what counts as held, as wrong, as not proven, and the figures of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.task import TASKS, Task, read_tasks
from bench.tasks import Ending, Result, in_warm_blender, table
from harness.blenders import Blender

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


@pytest.mark.blender
def test_a_check_that_fails_is_wrong_and_a_snippet_that_raises_is_not_proven(blender: Blender) -> None:
    wrong = RIGHT.replace("3\n", "4\n")
    again = "import bpy\n\nbpy.data.meshes.new('More')\n"
    jobs = [(task(), MOVES, 0.0), (task(wrong), MOVES, 0.0), (task(), "1 / 0\n", 0.0), (task(), MOVES + again, 0.0)]
    assert [each.ending for each in in_warm_blender(blender, jobs)] == ["held", "wrong", "not_proven", "not_proven"]

"""The answers that a measurement of what is shown reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.shown import read_answers
from tests.small_manifest import small_manifest


def test_answers_are_read_in_each_form_without_what_most_use(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    eevee = "bpy.context.scene.eevee.samples = 3"
    lines: list[dict[str, Any]] = [
        *({"request": f"request {count}", "snippet": f"import bpy\n{eevee}\n"} for count in range(2)),
        {"request": "engine", "snippet": f"import bpy\n{eevee}\nbpy.context.scene.render.engine = 'CYCLES'\n"},
        {"query": "a question", "gold": ["bpy.types.Mesh.validate"]},
        {"task": "new-data-04", "snippet": "import bpy\n"},
        *({"query": str(count), "gold": []} for count in range(8)),
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    answers = read_answers(file, small_manifest())
    assert answers[2].used == {"bpy.types.Scene.render", "bpy.types.RenderSettings.engine"}
    assert answers[0].used == frozenset()
    assert answers[3].request == "a question" and answers[3].used == {"bpy.types.Mesh.validate"}
    assert answers[4].request.startswith("save a compressed copy")


def test_an_answer_to_no_task_is_none(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"task": "no-such-task", "snippet": "import bpy"}\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="no-such-task"):
        read_answers(file, small_manifest())

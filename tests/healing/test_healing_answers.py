"""A healer answers with a diff, with functions, or with the whole snippet: in the one form, or as models like to."""

from __future__ import annotations

import pytest

from app.healing.model import healing_answer
from harness.readers import Readers

CODE = "import bpy\n\n\ndef move(by):\n    bpy.data.objects['Cube'].location.x = by\n\n\nmove(1)\n"
DIFF = "@@ -5 +5 @@\n-    bpy.data.objects['Cube'].location.x = by\n+    bpy.data.objects['Cube'].location.y = by\n"
MOVED = CODE.replace("location.x", "location.y")
MOVE = "def move(by):\n    bpy.data.objects['Cube'].location.y = by\n"
FENCED = f"```python\n{MOVED}```"


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        (f"<<BEGIN_DIFF snippet.py>>\n{DIFF}<<END>>\n", "a diff"),
        (f"<<BEGIN_DIFF>>\n--- a\n+++ b\n{DIFF}<<END>>\n", "a diff"),
        (f"It moves along y.\n<<BEGIN_UNIT snippet.py::move>>\n{MOVE}<<END>>\n", "a unit"),
        (f"<<BEGIN_UNIT move>>\n```python\n{MOVE}```\n<<END>>\n", "a unit"),
        (f"<<BEGIN_FILE snippet.py>>\n{MOVED}<<END>>\n", "whole"),
        (f"```diff\n{DIFF}```", "a diff"),
        (f"```\n{DIFF}```", "a diff"),
        (f"--- a\n+++ b\n{DIFF}", "a diff"),
        (f"Do:\n```patch\n{DIFF}```\n", "a diff"),
        (FENCED, "whole"),
    ],
)
def test_each_form_heals(answer: str, form: str) -> None:
    said = healing_answer(answer, "stop", CODE)
    assert (said.code, said.form, said.problem) == (MOVED, form, "")


def test_words_at_the_end_may_be_cut_off_and_code_may_not() -> None:
    for answer in (f"<<BEGIN_UNIT move>>\n{MOVE}<<END>>\n", f"```diff\n{DIFF}```\n", FENCED):
        assert healing_answer(f"{answer}\nThis mov", "length", CODE).code == MOVED
        inner = answer.rstrip().removesuffix("<<END>>").removesuffix("```")
        assert "cut off" in healing_answer(inner, "length", CODE).problem


def test_a_function_of_a_snippet_that_does_not_parse_is_replaced_in_a_reader(readers: Readers) -> None:
    broken = CODE.replace("move(1)", "move(1")
    said = readers.read(healing_answer, f"<<BEGIN_UNIT move>>\n{MOVE}<<END>>\n", "stop", broken)
    assert said.code == broken.replace(".x", ".y")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (f"<<BEGIN_UNIT snippet.py::turn>>\n{MOVE}<<END>>\n", "the snippet has 0 units called turn"),
        (f"<<BEGIN_UNIT move>>\n{MOVE.replace('.y', '.x')}<<END>>\n", "a unit changes nothing"),
        ("```diff\n@@\n-move(1)\n+move(1)\n```", "a diff changes nothing"),
        ("```diff\n@@\n-move(2)\n+move(1)\n```", "hunk 1 does not apply: the snippet has no line `move"),
        (f"<<BEGIN_UNIT move>>\n{MOVE}", "has no <<END>>"),
        ("I do not know.", "no Python"),
    ],
)
def test_what_heals_nothing_is_said(answer: str, said: str) -> None:
    assert said in healing_answer(answer, "stop", CODE).problem


def test_line_ends_of_the_snippet_stay() -> None:
    windows = CODE.replace("\n", "\r\n")
    assert healing_answer(f"```diff\n{DIFF}```", "stop", windows).code == MOVED.replace("\n", "\r\n")

"""One form for the edits that models write: what is read, what is forgiven, and what its near twin is refused for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import pytest

from app.llm.answers import AnswerUnusable
from app.llm.applying import apply_edits, like
from app.llm.edits import FORGIVEN, MARK, DiffEdit, FileEdit, UnitEdit, read_edits, start_of_edits, without_fence
from app.llm.prompts import PromptName, prompt
from codebase.units.read import spans_of
from tests.rooms import ROOT

SNIPPET = """import bpy


def one():
    x = 1
    return x


def two():
    x = 1
    return x


one()
two()
"""
THREE = SNIPPET.replace("def two():\n    x = 1", "def two():\n    x = 3")
ONE = {"a.py": SNIPPET}
TWO = {"a.py": SNIPPET, "ä.py": "class C:\n    def f(self):\n        return 1\n"}


def made(answer: str, files: Mapping[str, str] = ONE, finish: str = "stop") -> Mapping[str, str]:
    """The files that an answer changes."""
    edits = read_edits(answer, finish, files)
    if not edits:
        raise AnswerUnusable("no edit")
    return apply_edits(edits, files, spans_of)


def file(body: str, path: str = " a.py") -> str:
    return f"<<BEGIN_FILE{path}>>\n{body}<<END>>\n"


def diff(*hunks: str) -> str:
    return f"<<BEGIN_DIFF a.py>>\n{''.join(hunks)}<<END>>\n"


CHANGE = "-    x = 1\n+    x = 3\n"
HUNK = f"@@ -9,3 +9,3 @@\n def two():\n{CHANGE}     return x\n"
HEADS = "--- a/a.py\n+++ b/a.py\n"


def of_method(body: str, name: str = "C.f") -> str:
    return f"<<BEGIN_UNIT ä.py::{name}>>\n{body}<<END>>\n"


def of_umlaut(heads: str) -> str:
    return f"```diff\n{heads}@@\n-        return 1\n+        return 2\n```"


METHOD = {"ä.py": "class C:\n    def f(self):\n        return 2\n"}

READ: dict[str, tuple[str, Mapping[str, str], Mapping[str, str], str, str]] = {
    "reasoning": (
        f"<think>\n<<BEGIN_FILE a.py>>\n</think>Here:\n{file(THREE)}Done.", ONE, {"a.py": THREE},
        f"<think>{file(THREE)}", "no edit",
    ),
    "line ends": (
        file(THREE).replace("\n", "\r\n"), ONE, {"a.py": THREE},
        file(THREE).replace("\n", "\r"), "no edit",
    ),
    "marker": (
        f"  <<BEGIN_FILE a.py>> \n{THREE}\t<<END_FILE>>\n", ONE, {"a.py": THREE},
        f"- <<BEGIN_FILE a.py>>\n{THREE}<<END>>\n", "one <<END>> too many",
    ),
    "no path": (
        "<<BEGIN_UNIT two>>\ndef two():\n    return 3\n<<END>>\n", ONE,
        {"a.py": SNIPPET.replace("two():\n    x = 1\n    return x", "two():\n    return 3")},
        "<<BEGIN_UNIT three>>\ndef three():\n    return 3\n<<END>>\n", "0 units called three",
    ),
    "fence inside": (
        file(f"```python\n{THREE}```\n"), ONE, {"a.py": THREE},
        f"```python\n{file(THREE)}".replace("<<END>>", "```\n"), "has no <<END>>",
    ),
    "fenced diff": (
        f"Do this:\n```diff\n{HUNK}```\nand no more.", ONE, {"a.py": THREE},
        f"Do this:\n```python\n{THREE}```\n", "no edit",
    ),
    "bare diff": (
        f"Do this:\n{HEADS}{HUNK}", ONE, {"a.py": THREE},
        "Do this:\n- x = 1 is wrong\n+ x = 3 is right\n", "no edit",
    ),
    "names": (
        of_umlaut('--- "a/\\303\\244.py"\t2026-11-29\n+++ b/ä.py\n'), TWO, METHOD,
        of_umlaut("--- c/ä.py\n+++ c/ä.py\n"), "c/ä.py does not exist",
    ),
    "margin": (
        of_method("  def f(self):\n      return 2\n"), TWO,
        {"ä.py": "class C:\n    def f(self):\n        return 2\n"},
        of_method("def f(self):\n    return 2\n", "f"), "0 units called f",
    ),
    "no newline": (
        diff("@@\n-y\n\\ No newline at end of file\n+z\n"), {"a.py": "x\ny"}, {"a.py": "x\nz"},
        diff("@@\n y\n\\ No newline at end of file\n"), "no hunk",
    ),
    "counts": (
        diff(HUNK.replace("9,3", "9,30")), ONE, {"a.py": THREE},
        diff(HUNK.replace("x = 1", "y = 1")), "a.py has no line `y = 1`",
    ),
    "numbers": (
        diff(f"@@ -12,2 +12,2 @@\n{CHANGE}     return x\n"), ONE, {"a.py": THREE},
        diff(f"@@ -12 +12 @@\n{CHANGE}"), "several places",
    ),
    "no numbers": (
        diff(f"@@\n def two():\n{CHANGE}"), ONE, {"a.py": THREE},
        diff(f"@@\n{CHANGE}     return x\n"), "several places",
    ),
    "lost blank": (
        diff(f"@@\n\ndef two():\n{CHANGE}"), ONE, {"a.py": THREE},
        diff("@@\n-def two():\nx = 1\n-    return x\n"), "has no line `x = 1`",
    ),
    "white space": (
        diff(HUNK.replace("x = 1", "x = 1 ").replace("return x", "return x\t")), ONE, {"a.py": THREE},
        diff(HUNK.replace("    x = 1", "   x = 1")), "has no line `x = 1`",
    ),
    "context": (
        diff(f"@@\n # first\n # second\n def two():\n{CHANGE}"), ONE, {"a.py": THREE},
        diff(f"@@\n # first\n # second\n # third\n def two():\n{CHANGE}"), "has no line `# first`",
    ),
}  # fmt: skip
"""For all that is forgiven: an answer, the files, the result, a near twin of the answer, and what is said of it."""


@pytest.mark.parametrize("name", FORGIVEN)
def test_what_is_forgiven_is_read_and_its_near_twin_is_refused(name: str) -> None:
    answer, files, result, twin, said = READ[name]
    assert made(answer, files) == result
    with pytest.raises(AnswerUnusable, match=said):
        made(twin, files)


def test_all_that_is_forgiven_is_listed() -> None:
    page = " ".join((ROOT / "docs" / "models-asked.md").read_text(encoding="utf-8").split())
    assert READ.keys() == FORGIVEN.keys()
    assert [words for words in FORGIVEN.values() if words not in page] == []


@pytest.mark.parametrize("name", ["editor", "explainer", "healer", "patcher", "porter"])
def test_the_prompts_ask_for_the_form_that_is_read(name: PromptName) -> None:
    assert name in get_args(PromptName)
    marks = [mark["kind"] for mark in MARK.finditer(prompt(name).system)]
    assert all(marks[::2]) and not any(marks[1::2])
    assert "<<" not in MARK.sub("", prompt(name).system).replace("`<<BEGIN_FILE path>>`", "").replace("`<<END>>`", "")
    assert "```diff" not in prompt(name).system


def test_files_units_and_diffs_are_read_in_order() -> None:
    answer = f"First:\n{file(SNIPPET, ' b.py')}Then\n<<BEGIN_UNIT b.py::two>>\ndef two(): ...\n<<END>>\n{diff(HUNK)}"
    edits = read_edits(answer, "stop", TWO)
    assert [type(edit) for edit in edits] == [FileEdit, UnitEdit, DiffEdit]
    assert answer[: start_of_edits(answer)] == "First:\n"
    assert apply_edits(edits, TWO, spans_of) == {
        "b.py": SNIPPET.replace("def two():\n    x = 1\n    return x", "def two(): ..."),
        "a.py": THREE,
    }


def test_what_is_fenced_beside_markers_is_words() -> None:
    assert made(f"```diff\n{HUNK.replace('3', '4')}```\n{file(THREE)}") == {"a.py": THREE}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (f"<<BEGIN_FILE a.py>>\n{THREE}", "<<BEGIN_FILE a.py>> has no <<END>>"),
        (f"<<BEGIN_FILE a.py>>\n{file(THREE)}", "has no <<END>>"),
        (f"<<END>>\n{file(THREE)}", "one <<END>> too many"),
        (f"{file(THREE)}<<END>>\n", "one <<END>> too many"),
        (file(THREE) * 2, "a.py is written twice"),
        ("<<BEGIN_UNIT a.py::two>>\ndef two(): ...\n<<END>>\n" * 2, "a.py::two is written twice"),
        (diff("--- a/a.py\n+++ /dev/null\n@@\n-import bpy\n"), "would be removed"),
        (diff("--- a/a.py\n+++ b/b.py\n@@\n-import bpy\n"), "would be renamed"),
        (diff("--- /dev/null\n+++ b/a.py\n@@\n+import bpy\n"), "a.py exists"),
        (diff(HEADS), "no hunk"),
    ],
)
def test_what_may_not_be_whole_or_is_more_than_lines_is_refused(answer: str, said: str) -> None:
    with pytest.raises(AnswerUnusable, match=said):
        made(answer)
    with pytest.raises(AnswerUnusable, match="cut off"):
        made(answer, finish="length")


def test_of_several_files_each_edit_names_its_own() -> None:
    for answer in (f"<<BEGIN_FILE>>\n{THREE}<<END>>\n", f"```diff\n{HUNK}```"):
        assert made(answer) == {"a.py": THREE}
        with pytest.raises(AnswerUnusable, match="not clear which file"):
            made(answer, TWO)


APPLIED: list[tuple[str, str, str]] = [
    ("as it should be", "@@ -4,3 +4,3 @@\n def one():\n-    x = 1\n+    x = 3\n     return x\n", "one"),
    ("with wrong numbers", "@@ -40,3 +40,3 @@\n def two():\n-    x = 1\n+    x = 3\n     return x\n", "two"),
    ("one place, without a header", " def two():\n-    x = 1\n+    x = 3\n", "two"),
    ("dots for numbers", "@@ ... @@\n def two():\n-    x = 1\n+    x = 3\n", "two"),
    ("the place of its number", "@@ -10 +10 @@\n-    x = 1\n+    x = 3\n", "two"),
    ("white space at the ends of lines", "@@ -5,2 +5,2 @@\n-    x = 1 \n+    x = 3\n     return x \n", "one"),
    ("context that is a line off", "@@ -3,4 +3,4 @@\n # first\n def one():\n-    x = 1\n+    x = 3\n", "one"),
    ("context without its blank", "@@ -8,4 +8,4 @@\n\ndef two():\n-    x = 1\n+    x = 3\n     return x\n", "two"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "where"), [row[1:] for row in APPLIED], ids=[row[0] for row in APPLIED])
def test_a_diff_is_applied(written: str, where: str) -> None:
    changed = made(f"```diff\n{written}```\n")
    assert changed == {"a.py": SNIPPET.replace(f"def {where}():\n    x = 1", f"def {where}():\n    x = 3")}


def test_several_hunks_move_those_after_them() -> None:
    changed = made(diff(HEADS, "@@ -1 +1,3 @@\n import bpy\n+import math\n+import random\n", HUNK))["a.py"]
    assert changed.startswith("import bpy\nimport math\nimport random\n\n\ndef one():\n    x = 1\n")
    assert "def two():\n    x = 3\n" in changed


def test_lines_that_look_like_those_of_git_are_lines_of_the_file() -> None:
    old = "-- a comment\nindex = 1\ndiff = 2\n"
    hunk = "@@ -1,3 +1,3 @@\n--- a comment\n+-- another\nindex = 1\n-diff = 2\n+diff = 3\n"
    assert made(diff(HEADS, hunk), {"a.py": old}) == {"a.py": "-- another\nindex = 1\ndiff = 3\n"}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("@@ -0,0 +1 @@\n+x\n", "x\na\nb\nc\n"),
        ("@@ -2,0 +3 @@\n+x\n", "a\nb\nx\nc\n"),
        ("@@ -3,0 +4 @@\n+x\n", "a\nb\nc\nx\n"),
        ("@@ -1,0 +2 @@\n+x\n@@ -2,0 +4 @@\n+y\n", "a\nx\nb\ny\nc\n"),
    ],
)
def test_lines_that_are_only_added_come_after_the_line_that_is_named(written: str, expected: str) -> None:
    assert made(diff(written), {"a.py": "a\nb\nc\n"}) == {"a.py": expected}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("@@ -5 +5 @@\n-    y = 1\n+    y = 2\n", "hunk 1 does not apply: a.py has no line `y = 1`"),
        ("@@ -4,2 +4,2 @@\n-def one():\n-    return x\n+    return 3\n", "do not occur together"),
        ("@@\n+import os\n", "do not occur together"),
    ],
)
def test_a_hunk_that_does_not_fit_says_why(written: str, said: str) -> None:
    with pytest.raises(AnswerUnusable, match=said):
        made(diff(written))


def test_line_ends_and_fences_follow_the_file() -> None:
    assert like("a\r\nb\r\n", "a\nc\n") == "a\r\nc\r\n"
    assert like("a\nb", "a\nc\n") == "a\nc"
    assert like("\ufeffa\n", "c\n") == like("\ufeffa\n", "\ufeffc\n") == "\ufeffc\n"
    assert like(None, "a") == "a\n" and like("a\n\n", "c\n\n") == "c\n\n"
    fenced = "```python\nc\n```\n"
    assert without_fence(fenced, "a\n") == without_fence(fenced) == "c\n"
    assert without_fence(fenced, "```\na\n```\n") == fenced
    text = "# a line with <<BEGIN_FILE a.py>> in it\n"
    assert made(file(text)) == {"a.py": text}

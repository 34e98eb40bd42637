"""Reading what models answer: the snippet, the diff or the JSON in it, whatever stands around it."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from app.healing.diffs import DoesNotApply, apply_diff
from app.llm.answers import AnswerUnusable, read_code, read_dispute, read_healing, read_json, without_reasoning

CODE = "import bpy\n\nbpy.data.objects['Cube'].location.x = 1\n"
FENCED = f"```python\n{CODE}```"

READ: list[tuple[str, str]] = [
    ("only code", CODE),
    ("a fence", FENCED),
    ("prose around it", f"Sure! Here it is:\n\n{FENCED}\n\nHope this helps."),
    ("reasoning before it", f"<think>\n```python\nimport os\n```\nno, better:\n</think>\n{FENCED}"),
    ("reasoning without its opening mark", f"Let me see.\n```python\nimport os\n```\n</think>\n{FENCED}"),
    ("another fence first", f"Install it:\n```bash\npip install bpy\n```\nThen\n{FENCED}"),
    ("an excerpt first", f"Change this:\n```python\nx = 1\n```\nAll of it:\n{FENCED}"),
    ("longer marks", f"````python\n{CODE}````"),
    ("tildes", f"~~~py\n{CODE}~~~"),
    ("no language", f"```\n{CODE}```"),
    ("no end of the fence", f"```python\n{CODE}"),
    ("a fence in words of its own", f'```python title="snippet.py"\n{CODE}```'),
    ("Windows lines", FENCED.replace("\n", "\r\n")),
    ("prose and no fence", f"Here is the snippet.\n{CODE}\nIt moves the cube to the right."),
    ("a plan first", f"Plan:\n1. the cube: bpy.data.objects\n2. its place: location\n\n{FENCED}"),
    ("a fence in a list", "1. The snippet:\n   " + FENCED.replace("\n", "\n   ") + "\n2. Run it."),
    ("two whole snippets", f"First try:\n```python\nimport bpy\n\nx = 1\n```\nBetter:\n{FENCED}"),
    ("a byte order mark", f"```python\n\ufeff{CODE}```"),
]


@pytest.mark.parametrize("answer", [one for _, one in READ], ids=[name for name, _ in READ])
def test_the_snippet_is_found(answer: str) -> None:
    assert read_code(answer, "stop") == CODE


def test_a_fence_within_the_snippet_does_not_end_it() -> None:
    text = 'import bpy\n\nNOTE = """\n    ```python inside\n"""\n'
    assert read_code(f"````python\n{text}````", "stop") == text


def test_a_snippet_with_a_mistake_is_left_to_the_checks() -> None:
    assert read_code("```python\nimport bpy\nif True\n```", "stop") == "import bpy\nif True\n"
    assert read_code("import bpy\nif True\n", "stop") == "import bpy\nif True\n"


UNUSABLE: list[tuple[str, str, str, str]] = [
    ("empty", "  \n", "stop", "empty"),
    ("only reasoning", "<think>hmm</think>", "stop", "empty"),
    ("reasoning that was cut off", "<think>hmm, let me", "length", "empty"),
    ("a refusal", "I cannot help with that.", "stop", "no Python"),
    ("another language", "```json\n{}\n```", "stop", "json"),
    ("C# for a game engine", "```csharp\nusing UnityEngine;\n```", "stop", "csharp"),
    ("a plan alone", "Plan:\n1. Get the cube.\n2. Move it.", "stop", "no Python"),
    ("cut off in the fence", f"```python\n{CODE}def f(", "length", "cut off"),
    ("cut off without one", f"{CODE}def f(", "length", "cut off"),
]


@pytest.mark.parametrize(("answer", "finish", "said"), [one[1:] for one in UNUSABLE], ids=[one[0] for one in UNUSABLE])
def test_what_is_no_snippet_is_refused_with_words(answer: str, finish: str, said: str) -> None:
    with pytest.raises(AnswerUnusable, match=said):
        read_code(answer, finish)


def test_a_whole_fence_of_a_long_answer_is_taken_although_the_rest_was_cut() -> None:
    assert read_code(f"{FENCED}\nIt moves the", "length") == CODE


DIFF = "@@ -3 +3 @@\n-bpy.data.objects['Cube'].location.x = 1\n+bpy.data.objects['Cube'].location.x = 2\n"


@pytest.mark.parametrize(
    "answer", [f"```diff\n{DIFF}```", f"```\n{DIFF}```", f"--- a\n+++ b\n{DIFF}", f"Do:\n```patch\n{DIFF}```\n"]
)
def test_a_diff_is_told_from_a_snippet(answer: str) -> None:
    text, is_diff = read_healing(answer, "stop")
    assert is_diff
    assert apply_diff(CODE, text) == CODE.replace("= 1", "= 2")
    assert read_healing(FENCED, "stop") == (CODE, False)


class Pair(BaseModel):
    a: int
    b: str = ""


@pytest.mark.parametrize(
    "answer",
    [
        '{"a": 1}',
        '```json\n{"a": 1}\n```',
        'It is {"a": 1}, I think.',
        '<think>{"a": 2}</think>{"a": 1}',
        'So {x}: {"a": 1, "c": 3}',
    ],
)
def test_the_json_object_is_found(answer: str) -> None:
    assert read_json(answer, Pair) == Pair(a=1)


@pytest.mark.parametrize(
    ("answer", "said"), [("", "empty"), ("yes", "no JSON"), ('{"b": "x"}', "a: Field required"), ('{"a": 1', "no JSON")]
)
def test_what_is_no_such_object_is_refused_with_words(answer: str, said: str) -> None:
    with pytest.raises(AnswerUnusable, match=said):
        read_json(answer, Pair)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>a<thought>b</Think>c<thought>d</thought>e", "ce"),
        ("<thought>a<think>b</think>c", ""),
        ("a<b</think>c<think", "c<think"),
    ],
)
def test_only_reasoning_is_left_out(text: str, left: str) -> None:
    assert without_reasoning(text) == left


@pytest.mark.parametrize("part", ["<think>", "<think><thought></think>", "~", "#\n", "[", '{"a":', "\n"])
def test_a_long_answer_takes_no_longer_for_each_letter(part: str) -> None:
    # Read again from each of its places, these would take minutes.
    long = part * (200_000 // len(part)) + "`"
    assert read_dispute(long) == ""
    with pytest.raises(AnswerUnusable):
        read_json(long, Pair)


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

APPLIED: list[tuple[str, str, str]] = [
    ("as it should be", "@@ -4,3 +4,3 @@\n def one():\n-    x = 1\n+    x = 3\n     return x\n", "one"),
    ("with wrong numbers", "@@ -40,3 +40,3 @@\n def two():\n-    x = 1\n+    x = 3\n     return x\n", "two"),
    ("one place, without a header", " def two():\n-    x = 1\n+    x = 3\n", "two"),
    ("without numbers", "@@ ... @@\n def two():\n-    x = 1\n+    x = 3\n", "two"),
    ("the place that its number is nearest to", "@@ -10 +10 @@\n-    x = 1\n+    x = 3\n", "two"),
    ("white space at the ends of lines", "@@ -5,2 +5,2 @@\n-    x = 1 \n+    x = 3\n     return x \n", "one"),
    ("context that is a line off", "@@ -3,4 +3,4 @@\n # first\n def one():\n-    x = 1\n+    x = 3\n", "one"),
    ("context without its blank", "@@ -8,4 +8,4 @@\n\ndef two():\n-    x = 1\n+    x = 3\n     return x\n", "two"),
]  # fmt: skip


@pytest.mark.parametrize(("diff", "where"), [one[1:] for one in APPLIED], ids=[one[0] for one in APPLIED])
def test_a_diff_is_applied(diff: str, where: str) -> None:
    changed = apply_diff(SNIPPET, diff)
    assert changed == SNIPPET.replace(f"def {where}():\n    x = 1", f"def {where}():\n    x = 3")


def test_several_hunks_move_those_after_them() -> None:
    diff = (
        "--- a/snippet.py\n+++ b/snippet.py\n@@ -1 +1,3 @@\n import bpy\n+import math\n+import random\n"
        "@@ -9,3 +11,3 @@\n def two():\n-    x = 1\n+    x = 3\n     return x\n"
    )
    changed = apply_diff(SNIPPET, diff)
    assert changed.startswith("import bpy\nimport math\nimport random\n\n\ndef one():\n    x = 1\n")
    assert "def two():\n    x = 3\n" in changed


@pytest.mark.parametrize(
    ("diff", "expected"),
    [
        ("@@ -0,0 +1 @@\n+x\n", "x\na\nb\nc\n"),
        ("@@ -2,0 +3 @@\n+x\n", "a\nb\nx\nc\n"),
        ("@@ -3,0 +4 @@\n+x\n", "a\nb\nc\nx\n"),
        ("@@ -1,0 +2 @@\n+x\n@@ -2,0 +4 @@\n+y\n", "a\nx\nb\ny\nc\n"),
    ],
)
def test_lines_that_are_only_added_come_after_the_line_that_is_named(diff: str, expected: str) -> None:
    assert apply_diff("a\nb\nc\n", diff) == expected


def test_of_several_snippets_the_last_whole_one_counts_unless_it_is_an_excerpt() -> None:
    first, second, excerpt = "import bpy\nx = 1\ny = 2\n", "import bpy\nx = 2\n", "import bpy\n"
    shown = "".join(f"So:\n```python\n{code}```\n" for code in (first, second, excerpt))
    assert read_code(shown, "stop") == second


REFUSED: list[tuple[str, str, str]] = [
    ("a line that is not there", "@@ -5 +5 @@\n-    y = 1\n+    y = 2\n", "has no line `y = 1`"),
    ("several places and no number", "@@ ... @@\n-    x = 1\n+    x = 3\n", "several places"),
    ("lines apart", "@@ -4,2 +4,2 @@\n-def one():\n-    return x\n+    return 3\n", "do not occur together"),
    ("more fuzz than is bounded", "@@ -4,5 +4,5 @@\n # a\n # b\n # c\n-    x = 1\n+    x = 3\n", "no line `# a`"),
    ("no hunk", "--- a\n+++ b\n", "no hunk"),
    ("no change", "@@ -5 +5 @@\n-    x = 1\n+    x = 1\n", "changes nothing"),
]


@pytest.mark.parametrize(("diff", "said"), [one[1:] for one in REFUSED], ids=[one[0] for one in REFUSED])
def test_a_diff_that_does_not_fit_says_why(diff: str, said: str) -> None:
    with pytest.raises(DoesNotApply, match=said):
        apply_diff(SNIPPET, diff)

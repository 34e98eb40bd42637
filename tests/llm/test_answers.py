"""Reading what models answer: the snippet, the diff or the JSON in it, whatever stands around it."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from app.llm.answers import AnswerUnusable, read_code, read_json, without_reasoning
from app.llm.edits import read_dispute, read_edits

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


LONG = f"{CODE}bpy.data.objects['Cube'].location.y = 2\nbpy.data.objects['Cube'].location.z = 3\n"


@pytest.mark.parametrize(
    ("first", "then", "taken"),
    [
        (f"```python\n{LONG}if True\n```", "```python\nimport x\nx.y()\n```", f"{LONG}if True\n"),
        (f"```\n{LONG}```", "```python\nimport x\nx.y()\n```", LONG),
        (f"```python\n{CODE}```", f"```text\n{LONG}Traceback (most recent\n```", CODE),
        (f"```python\n{CODE}if True\n```", f"```python\n{CODE}```", CODE),
    ],
)
def test_a_short_block_beside_a_long_one_is_its_usage(first: str, then: str, taken: str) -> None:
    assert read_code(f"{first}\nand\n{then}", "stop") == taken


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


@pytest.mark.parametrize(
    "part",
    ["<think>", "<think><thought></think>", "~", "#\n", "[", '{"a":', "\n", "<<BEGIN_FILE a>> ", "@@ -1 ", "+x\n"],
)
def test_a_long_answer_takes_no_longer_for_each_letter(part: str) -> None:
    # Read again from each of its places, these would take minutes.
    long = part * (200_000 // len(part)) + "`"
    assert read_dispute(long) == ""
    assert read_edits(long, "stop", ["a", "b"]) == []
    with pytest.raises(AnswerUnusable):
        read_json(long, Pair)


def test_of_several_snippets_the_last_whole_one_counts_unless_it_is_an_excerpt() -> None:
    first, second, excerpt = "import bpy\nx = 1\ny = 2\n", "import bpy\nx = 2\n", "import bpy\n"
    shown = "".join(f"So:\n```python\n{code}```\n" for code in (first, second, excerpt))
    assert read_code(shown, "stop") == second

"""The questions people ask, with the symbols that answer them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from harness.blenders import Blender
from ingest.dumped import read_dumped
from ingest.manifest import manifest_of
from ingest.questions import QUESTIONS, QuestionsInvalid, UserQuestion, load_questions, load_templates, within

GOOD = '[[question]]\nasks = ["one way", "another way"]\nsymbols = ["bpy.ops.a.b"]\n'


def write(folder: Path, content: str) -> Path:
    (folder / "lamps.toml").write_text(content)
    return folder


def test_every_file_of_questions_can_be_used() -> None:
    questions = load_questions()
    assert {question.name.partition("/")[0] for question in questions} == {
        file.stem for file in QUESTIONS.glob("*.toml")
    }
    wrong = [
        question.name
        for question in questions
        if not (2 <= len(question.asks) <= 5 and 1 <= len(question.symbols) <= 6)
    ]
    assert wrong == []
    blank = [
        one.name for one in questions for words in (*one.asks, *one.symbols) if words != words.strip() or not words
    ]
    assert blank == []
    assert [one.name for one in questions if len(set(one.symbols)) < len(one.symbols)] == []


def test_nothing_is_asked_twice() -> None:
    asked = Counter(" ".join(ask.lower().split()) for question in load_questions() for ask in question.asks)
    assert [ask for ask, times in asked.items() if times > 1] == []


@pytest.mark.blender
def test_every_symbol_is_in_blender_5_0(home: Path, blender: Blender) -> None:
    if blender.series != "5.0":
        pytest.skip(f"the questions name symbols of Blender 5.0, and the default here is {blender.version}")
    known = {symbol.address for symbol in read_dumped(manifest_of(home, blender))}
    unknown = {one.name: set(one.symbols) - known for one in load_questions() if not set(one.symbols) <= known}
    assert unknown == {}


def test_a_question_is_read_as_it_was_written(tmp_path: Path) -> None:
    questions = load_questions(write(tmp_path, GOOD * 2))
    assert [question.name for question in questions] == ["lamps/1", "lamps/2"]
    assert questions[0] == UserQuestion("lamps/1", "question", ("one way", "another way"), ("bpy.ops.a.b",))
    assert questions[0].title == "one way"


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ("asks = []\nsymbols = ['a']", "lamps/2"),
        ("asks = ['a']", "lamps/2"),
        ("asks = 'a'\nsymbols = ['a']", "lamps/2"),
        ("asks = ['a', 1]\nsymbols = ['a']", "lamps/2"),
        ("asks = ['a']\nsymbols = ['a']\nsymbol = ['b']", "lamps/2"),
        ("asks = ['a'", "lamps.toml"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, entry: str, named: str) -> None:
    with pytest.raises(QuestionsInvalid, match=named):
        load_questions(write(tmp_path, f"{GOOD}[[question]]\n{entry}\n"))


@pytest.mark.parametrize(
    "content", ["", "answers = 1\n", "question = 1\n", "question = [1]\n", "[question]\nasks = 1\n"]
)
def test_a_file_without_questions_is_named(tmp_path: Path, content: str) -> None:
    with pytest.raises(QuestionsInvalid, match=r"lamps"):
        load_questions(write(tmp_path, content))
    (tmp_path / "lamps.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(QuestionsInvalid, match=r"lamps\.toml"):
        load_questions(tmp_path)


def test_what_a_reference_does_not_have_is_left_out() -> None:
    both = UserQuestion("a", "question", ("a",), ("bpy.old", "bpy.new"))
    gone = UserQuestion("b", "question", ("b",), ("bpy.old",))
    assert within([both, gone], {"bpy.new", "bpy.other"}) == [UserQuestion("a", "question", ("a",), ("bpy.new",))]
    assert within([both, gone], set()) == []


def test_example_scripts_are_answers(tmp_path: Path) -> None:
    (tmp_path / "light_panel.py").write_text('"""Draw a panel\nfor lights.\n\nMore of it.\n"""\nimport bpy\n')
    (tmp_path / "plain.py").write_text("import bpy\n")
    (tmp_path / "wrong.py").write_text("import (")
    (tmp_path / "latin.py").write_bytes(b"# \xe9\n")
    found = load_templates(tmp_path, lambda snippet: [f"bpy.{len(snippet)}"])
    assert [(one.name, one.asks) for one in found] == [
        ("templates_py/light_panel", ("light panel", "Draw a panel for lights.")),
        ("templates_py/plain", ("plain",)),
    ]
    assert found[1].symbols == ("bpy.11",) and found[1].snippet == "import bpy\n" and found[1].source == "template"
    assert load_templates(tmp_path / "none", lambda snippet: []) == []

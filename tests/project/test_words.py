"""The words of the code: a name says what a thing is, and a class or file is found by its name alone."""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import pytest

from tests.rooms import ROOT, sources

NO_NAMES: Final = frozenset({"one", "it", "found", "told", "left", "so"})
"""Words that name nothing: of no argument, attribute or function."""
QUESTIONS: Final = ("What", "Whether", "How")
"""A docstring is an imperative or a noun phrase, so it begins with none of these."""
MOST_FILES_OF_ONE_NAME: Final = 2

Trees = Mapping[str, ast.Module]
"""Syntax trees by the paths of their files."""


@functools.cache
def product() -> Trees:
    """The product, the extension for Blender included."""
    paths = {*sources(), *(ROOT / "clients").rglob("*.py")}
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in sorted(paths)}


def parsed(*texts: str) -> Trees:
    """Files that contain these texts."""
    return {f"{number}.py": ast.parse(text) for number, text in enumerate(texts)}


def empty_names(trees: Trees) -> Iterator[str]:
    """Each argument, attribute and function whose name says nothing, as `path:line: name`."""
    for path, tree in trees.items():
        for node in ast.walk(tree):
            for line, name in named_by(node):
                if name.strip("_") in NO_NAMES:
                    yield f"{path}:{line}: {name}"


def named_by(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The names that a node gives to arguments, attributes and functions, with their lines."""
    match node:
        case ast.arg(arg=name, lineno=line) | ast.Attribute(attr=name, ctx=ast.Store(), lineno=line):
            yield line, name
        case ast.FunctionDef(name=name, lineno=line) | ast.AsyncFunctionDef(name=name, lineno=line):
            yield line, name
        case ast.ClassDef(body=body):
            fields = (part for part in body if isinstance(part, ast.AnnAssign))
            yield from ((field.lineno, field.target.id) for field in fields if isinstance(field.target, ast.Name))
        case _:
            pass


def questions(trees: Trees) -> Iterator[str]:
    """Each docstring that begins as a question, as `path:line: first word`."""
    for path, tree in trees.items():
        for node in ast.walk(tree):
            match node:
                case ast.Expr(value=ast.Constant(value=str(words)), lineno=line) if words.strip():
                    if (first := words.split()[0].strip(",:")) in QUESTIONS:
                        yield f"{path}:{line}: {first}"
                case _:
                    pass


def texts_by_locale(trees: Trees) -> Iterator[str]:
    """Each text file that is read or written in the encoding of the locale, as `path:line`."""
    for path, tree in trees.items():
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(attr="read_text" | "write_text" as name), args=given, keywords=named):
                    # The encoding is the last argument without a name, too.
                    if len(given) <= (name == "write_text") and "encoding" not in {one.arg for one in named}:
                        yield f"{path}:{node.lineno}"
                case _:
                    pass


def repeated_classes(trees: Trees) -> dict[str, int]:
    """The names that several classes have, private ones counted without their underscore."""
    names = [
        node.name.lstrip("_") for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    ]
    return {name: count for name, count in Counter(names).items() if count > 1}


def repeated_files(paths: Iterable[str]) -> dict[str, int]:
    """The names that more files have than may."""
    names = Counter(path.rpartition("/")[2] for path in paths)
    return {name: count for name, count in names.items() if count > MOST_FILES_OF_ONE_NAME and name != "__init__.py"}


def test_names_say_what_they_name() -> None:
    assert list(empty_names(product())) == []


def test_docstrings_are_no_questions() -> None:
    assert list(questions(product())) == []


def test_a_class_is_found_by_its_name() -> None:
    assert repeated_classes(product()) == {}


def test_a_file_is_found_by_its_name() -> None:
    assert repeated_files(product()) == {}


def test_texts_are_read_and_written_whatever_the_locale() -> None:
    # What the harness reads is of the system, or of Blender.
    assert [place for place in texts_by_locale(product()) if not place.startswith("harness/")] == []
    locale = 'path.read_text()\npath.read_text(errors="replace")\npath.write_text(text)'
    assert len(list(texts_by_locale(parsed(locale)))) == 3
    utf8 = 'path.read_text(encoding="utf-8")\npath.read_text("utf-8")\npath.write_text(text, "utf-8")'
    assert list(texts_by_locale(parsed(utf8))) == []


@pytest.mark.parametrize(
    "text",
    [
        "def f(one): ...",
        "def f(*, told): ...",
        "keep = lambda it: it",
        "def found(): ...",
        "class Box:\n    left: int",
        "class Box:\n    def __init__(self):\n        self._so = 1",
    ],
)
def test_a_name_that_says_nothing_is_found(text: str) -> None:
    assert list(empty_names(parsed(text)))


def test_its_near_twin_is_not() -> None:
    twin = "class Box:\n    left_edge: int\n    def find(self, finding):\n        return [one for one in finding]"
    assert list(empty_names(parsed(twin))) == []


@pytest.mark.parametrize(
    "text",
    ['"""What a box holds."""', 'def f():\n    """Whether it is open."""', 'X = 1\n"""How often it is opened."""'],
)
def test_a_docstring_that_begins_as_a_question_is_found(text: str) -> None:
    assert list(questions(parsed(text)))


def test_its_near_twin_begins_as_a_statement() -> None:
    twins = '"""The contents of a box."""\ndef f():\n    """True if it is open, whatever it holds."""\nsay("What now?")'
    assert list(questions(parsed(twins))) == []


def test_a_second_class_of_one_name_is_found() -> None:
    assert repeated_classes(parsed("class Box: ...", "class _Box: ...")) == {"Box": 2}
    assert repeated_classes(parsed("class Box: ...", "class BoxOf: ...")) == {}


def test_a_third_file_of_one_name_is_found() -> None:
    assert repeated_files(["a/box.py", "b/box.py", "c/box.py"]) == {"box.py": 3}
    assert (
        repeated_files(["a/box.py", "b/box.py", "c/boxes.py", "a/__init__.py", "b/__init__.py", "c/__init__.py"]) == {}
    )

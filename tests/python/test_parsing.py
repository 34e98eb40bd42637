"""Many threads parse at once, as runs do."""

from __future__ import annotations

import ast
import gc
import threading
import time
import warnings
from collections.abc import Callable, Generator

import pytest

from python.parsing import parse_expression, parse_python
from tests.rooms import ROOT, sources

THREADS, ROUNDS = 16, 30
SOURCE = "def f(a):\n" + "".join(f"    x{n} = [a.b(c[{n}], d={{'k': (1, (2, [3]))}}) for c in a]\n" for n in range(40))


@pytest.fixture
def switching() -> Generator[None, None, None]:
    """Let another thread go on whenever Python collects garbage, as it may while it builds a tree."""

    def switch(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            time.sleep(0)

    before = gc.get_threshold()
    gc.callbacks.append(switch)
    gc.set_threshold(50, 5, 5)
    yield
    gc.set_threshold(*before)
    gc.callbacks.remove(switch)


def faults(parser: Callable[[str], object]) -> list[str]:
    """What the parser raises in many threads, each at its own depth of recursion."""
    found: list[str] = []

    def at_depth(depth: int) -> None:
        if depth:
            return at_depth(depth - 1)
        for _ in range(ROUNDS):
            try:
                parser(SOURCE)
            except SystemError as error:
                found.append(str(error))
        return None

    threads = [threading.Thread(target=at_depth, args=(7 * number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.usefixtures("switching")
def test_python_loses_count_in_many_threads() -> None:
    for _ in range(20):
        if faults(ast.parse):
            return
    pytest.skip("this Python does not lose count")


@pytest.mark.usefixtures("switching")
@pytest.mark.slow
def test_the_guarded_parser_does_not() -> None:
    assert faults(parse_python) == []


def test_it_reads_as_python_does_and_never_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ast.dump(parse_python("a = '\\d'")) == ast.dump(parse_python("a = '\\\\d'"))
    assert ast.unparse(parse_expression("a.b[0]")) == "a.b[0]"
    for wrong, error in (
        ("a =", SyntaxError),
        ("a\0", (SyntaxError, ValueError)),
        ("(" * 20000, (SyntaxError, RecursionError)),
    ):
        with pytest.raises(error):
            parse_python(wrong)


def unguarded(source: str) -> list[int]:
    """The lines of a source that call Python's parser."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if (isinstance(node, ast.Attribute) and node.attr == "parse" and ast.unparse(node.value) == "ast")
        or (isinstance(node, ast.Attribute | ast.Name) and ast.unparse(node).endswith("PyCF_ONLY_AST"))
    ]


def test_nothing_else_in_the_service_calls_the_parser() -> None:
    outside = [path for path in sources() if "inside" not in path.parts and path != ROOT / "python" / "parsing.py"]
    assert [(path.name, line) for path in outside for line in unguarded(path.read_text())] == []
    assert unguarded("import ast\ntree = ast.parse(text)\n") == [2]
    assert unguarded("from python.parsing import parse_python\ntree = parse_python(text)\n") == []

"""Names, scopes, places of lines and ends of blocks, as the readers of a syntax tree tell them."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from python.flow import around, blocks, first_line, leaves
from python.identifiers import decorator_names, dotted, dotted_end, last_name, parameters, root_name
from python.parsing import parse_expression, parse_python
from python.scopes import bindings_in, own_nodes, stored_names
from tests.rooms import ROOT


@pytest.mark.parametrize(
    ("source", "whole", "end", "last", "root"),
    [
        ("a", "a", "a", "a", "a"),
        ("a.b.c", "a.b.c", "a.b.c", "c", "a"),
        ("f().b.c", "", ".b.c", "c", ""),
        ("a[0].b", "", ".b", "b", "a"),
        ("f()", "", "", "", ""),
        ("'a.b'", "", "", "", ""),
    ],
)
def test_a_dotted_name_has_one_answer(source: str, whole: str, end: str, last: str, root: str) -> None:
    node = parse_expression(source)
    assert (dotted(node), dotted_end(node), last_name(node), root_name(node)) == (whole, end, last, root)


def test_a_scope_binds_its_own_names_and_no_others() -> None:
    body = parse_python(
        "import a.b, c as d\n"
        "def f(x, *rest, y=1):\n    inner = 1\n"
        "values = [each for each in d if (last := each)]\n"
        "match values:\n    case {'k': v, **more}: pass\n"
        "try: pass\nexcept ValueError as error: pass\n"
    ).body
    own = {name for name, _ in bindings_in(body)}
    assert own == {"a", "d", "f", "values", "last", "v", "more", "error"}
    assert stored_names(body) - own == {"inner", "each"}


def test_a_branch_that_is_never_taken_binds_nothing() -> None:
    body = parse_python("if new:\n    a = 1\nelse:\n    b = 2\n").body
    assert dict(bindings_in(body, lambda _test: True)) == {"a": 2}
    assert dict(bindings_in(body, lambda _test: False)) == {"b": 4}
    assert dict(bindings_in(body)) == {"a": 2, "b": 4}


def test_the_nodes_of_a_scope_end_at_what_is_closed() -> None:
    body = parse_python("x = 1\ndef f():\n    y = 2\nclass C:\n    z = 3\n").body
    names = {node.id for node in own_nodes(body, ast.FunctionDef) if isinstance(node, ast.Name)}
    assert names == {"x", "z"}


def test_the_statements_around_a_line_end_with_its_own() -> None:
    tree = parse_python("@mark()\ndef f(a):\n    match a:\n        case 1:\n            return a\n    return 0\n")
    assert [type(node).__name__ for node in around(tree, 5)] == ["FunctionDef", "Match", "Return"]
    assert [type(node).__name__ for node in around(tree, 6)] == ["FunctionDef", "Return"]
    assert around(tree, 9) == []
    function = around(tree, 1)[0]
    assert isinstance(function, ast.FunctionDef)
    assert (first_line(function), decorator_names(function)) == (1, ["mark"])
    assert [parameter.arg for parameter in parameters(function.args)] == ["a"]
    assert len(list(blocks(function))) == 1


@pytest.mark.parametrize(
    ("ends", "goes_on"),
    [
        ("return", "pass"),
        ("import sys\n    sys.exit()", "import sys\n    sys.exitfunc()"),
        ("if a: return\n    else: raise", "if a: return"),
        ("with a: return", "with a: pass"),
        ("while True: a()", "while True:\n        if a: break"),
        ("try: return\n    except E: raise", "try: return\n    except E: pass"),
        ("match a:\n        case _: return", "match a:\n        case 1: pass\n        case _: return"),
    ],
)
def test_a_block_leaves_or_goes_on(ends: str, goes_on: str) -> None:
    for body, answer in ((ends, True), (goes_on, False)):
        function = parse_python(f"def f(a):\n    {body}\n").body[0]
        assert isinstance(function, ast.FunctionDef)
        assert leaves(function.body) is answer, body


def test_it_needs_nothing_but_the_standard_library() -> None:
    modules = sorted(path.stem for path in (ROOT / "python").glob("*.py") if path.stem != "__init__")
    source = f"import sys; sys.path[:0] = [{str(ROOT)!r}]; " + "; ".join(f"import python.{name}" for name in modules)
    names = "print(*sorted({name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names))"
    command = [sys.executable, "-I", "-S", "-c", f"{source}; {names}"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert set(done.stdout.split()) <= {"python", "__main__", "sitecustomize"}

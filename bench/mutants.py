"""Small faults put into working Python, one at a time, each in a function that is known."""

from __future__ import annotations

import ast
import copy
import dataclasses
from collections.abc import Iterator
from typing import Final

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A text with one fault: its kind, its line, and the qualified name of the outermost function around it."""

    kind: str
    line: int
    function: str
    text: str


def mutants(text: str) -> Iterator[Mutant]:
    """Every fault that can be put into a text, in the order of its lines."""
    for name, function in functions(ast.parse(text)):
        for node in ast.walk(function):
            for kind, changed in faults(node):
                new = replaced(text, node, changed)
                if new is not None:
                    yield Mutant(kind, getattr(node, "lineno", 0), name, new)


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """The outermost functions and the methods of classes, by qualified name."""
    queue: list[tuple[str, ast.AST]] = [("", node) for node in tree.body]
    for around, node in queue:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{around}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            queue += [(f"{around}{node.name}.", one) for one in node.body]


def faults(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The faults of one node: what it is replaced by."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.Return) and new.value is not None and not isinstance(new.value, ast.Constant):
        yield "returns nothing", ast.Return(value=None)
        yield "returns a list", ast.Return(value=ast.List(elts=[new.value], ctx=ast.Load()))
    elif isinstance(new, ast.Compare) and type(new.ops[0]) in COMPARED:
        new.ops[0] = COMPARED[type(new.ops[0])]()
        yield "compares the other way", new
    elif isinstance(new, ast.If) and not isinstance(new.test, ast.Compare):
        return
    elif isinstance(new, ast.Attribute) and isinstance(new.ctx, ast.Load):
        new.attr = f"{new.attr}_"
        yield "misspells an attribute", new
    elif isinstance(new, ast.Call) and len(new.args) > 1:
        new.args = [new.args[1], new.args[0], *new.args[2:]]
        yield "swaps arguments", new
    elif isinstance(new, ast.Call) and (new.args or new.keywords):
        new.args, new.keywords = new.args[1:], new.keywords if new.args else new.keywords[1:]
        yield "forgets an argument", new
    elif isinstance(new, ast.Constant) and type(new.value) is int:
        new.value += 1
        yield "is off by one", new
    elif isinstance(new, ast.Assign) and isinstance(new.targets[0], ast.Attribute):
        yield "forgets an assignment", ast.Pass()
        new.value = ast.Constant(None)
        yield "assigns nothing", new
    elif isinstance(new, ast.Assign) and isinstance(new.targets[0], ast.Name):
        new.value = ast.Constant(None)
        yield "assigns nothing", new


def replaced(text: str, node: ast.AST, changed: ast.AST) -> str | None:
    """The text with the source of a node replaced; None if it has none, or stands in a pattern or an f-string."""
    if not isinstance(node, ast.expr | ast.stmt) or node.lineno != node.end_lineno:
        return None
    first = node.lineno
    lines = text.split("\n")
    data = lines[first - 1].encode()
    begin, end = node.col_offset, node.end_col_offset or 0
    code = ast.unparse(changed)
    if isinstance(node, ast.Compare):
        code = f"({code})"
    lines[first - 1] = (data[:begin] + code.encode() + data[end:]).decode(errors="replace")
    new = "\n".join(lines)
    try:
        same = ast.dump(ast.parse(new)) == ast.dump(ast.parse(text))
    except (SyntaxError, ValueError):
        return None
    return None if same else new

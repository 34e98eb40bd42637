"""Reading a published stub, and the questions that every change of its tree asks."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from python.parsing import parse_expression, parse_python

_GENERIC_HEADER: Final = re.compile(r"^(\s*(?:class|def) \w+)\[([^\]]*)\]", re.MULTILINE)
_TYPE_STATEMENT: Final = re.compile(r"^type (\w+) =", re.MULTILINE)


def parse(text: str) -> ast.Module:
    """Parse a stub that may use the generics of Python 3.12, which the 3.11 parser refuses."""
    generics: dict[int, list[str]] = {}

    def note_and_drop(match: re.Match[str]) -> str:
        line = text.count("\n", 0, match.start(1)) + match.group(1).count("\n") + 1
        generics[line] = [parameter.split(":")[0].strip() for parameter in match.group(2).split(",")]
        return match.group(1)

    # Lines keep their numbers, so that each generic header is found again in the tree.
    old_style = _GENERIC_HEADER.sub(note_and_drop, text)
    tree = parse_python(_TYPE_STATEMENT.sub(r"\1: typing.TypeAlias =", old_style))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.lineno in generics:
            node.bases.append(expression(f"typing.Generic[{', '.join(generics[node.lineno])}]"))
    variables = sorted({name for names in generics.values() for name in names})
    _add_to_head(tree, [f"{name} = typing_extensions.TypeVar({name!r}, default=typing.Any)" for name in variables])
    return tree


def _add_to_head(tree: ast.Module, statements: list[str]) -> None:
    """Put statements behind the imports; names in a stub need no order, but a reader expects it."""
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    needed = parse_python("import builtins, typing, typing_extensions\nfrom collections import abc as _abc").body
    tree.body = [*needed, *imports, *parse_python("\n".join(statements)).body, *others]


def expression(text: str) -> ast.expr:
    return parse_expression(text)


def any_type() -> ast.expr:
    return expression("typing.Any")


def map_annotations(tree: ast.AST, change: Callable[[ast.expr], ast.expr]) -> None:
    """Change every type: of what a script reads, and of the parameters."""
    map_results(tree, change)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg) and node.annotation:
            node.annotation = change(node.annotation)


def map_results(tree: ast.AST, change: Callable[[ast.expr], ast.expr]) -> None:
    """Change the types of what a script reads: attributes and returned values."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            node.annotation = change(node.annotation)
        elif isinstance(node, ast.FunctionDef) and node.returns:
            node.returns = change(node.returns)


def union_members(annotation: ast.expr) -> list[ast.expr]:
    if isinstance(annotation, ast.BinOp):
        return [*union_members(annotation.left), *union_members(annotation.right)]
    return [annotation]


def _is_none(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Constant) and annotation.value is None


def without_none(annotation: ast.expr) -> ast.expr:
    kept = [member for member in union_members(annotation) if not _is_none(member)]
    return expression(" | ".join(map(ast.unparse, kept))) if kept else annotation


def classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    return (node for node in body if isinstance(node, ast.FunctionDef))


def members(node: ast.ClassDef | ast.Module) -> set[str]:
    annotated = {
        item.target.id for item in node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }
    imported = {
        alias.asname for item in node.body if isinstance(item, ast.ImportFrom) for alias in item.names if alias.asname
    }
    defined = {item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.ClassDef)}
    return annotated | imported | defined

"""The units of a Python file, from its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from codebase.units.unit import DOCSTRING_CHARACTERS, Kind, ParsedFile, Unit, without
from python.parsing import parse_lines

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Span = tuple[int, int]
HOLDERS = (
    *(ast.If, ast.For, ast.While, ast.With, ast.Try, ast.TryStar, ast.Match),
    *(ast.AsyncWith, ast.AsyncFor, ast.ExceptHandler, ast.match_case),
)
"""Statements whose definitions belong to the body around."""
INSIDE = ("body", "cases", "handlers", "orelse", "finalbody")


class UnparsablePython(Exception):
    """Python cannot parse the text; the message has the place."""


def python_units(text: str, lines: Sequence[str]) -> ParsedFile:
    """One unit per function, class, method, and one for the module. Raises UnparsablePython."""
    try:
        tree = parse_lines(text)
    except SyntaxError as error:
        raise UnparsablePython(f"line {error.lineno}: {error.msg}") from error
    except (RecursionError, MemoryError, ValueError, SystemError) as error:
        raise UnparsablePython(f"cannot be parsed: {error}") from error
    units: list[Unit] = []
    inner = [append_units(node, units, lines, (), ()) for node in definitions(tree.body)]
    module = Unit(
        *("", "module", 1, max(1, len(lines))),
        docstring=docstring_of(tree),
        own=without(1, max(1, len(lines)), inner),
    )
    return ParsedFile("python", (module, *units), tuple(dict.fromkeys(imports_of(tree))), tree=tree)


def definitions(body: Iterable[ast.stmt]) -> Iterator[Definition]:
    """The functions and classes of a body, those under `if`, `try` and `with` too."""
    # A stack of our own, because a chain of a thousand `elif` nests a thousand deep.
    stack = list[ast.AST](body)[::-1]
    while stack:
        node = stack.pop()
        if isinstance(node, Definition):
            yield node
        elif isinstance(node, HOLDERS):
            inner = [part for field in INSIDE for part in getattr(node, field, [])]
            stack += inner[::-1]


def append_units(
    node: Definition, units: list[Unit], lines: Sequence[str], names: tuple[str, ...], around: tuple[str, ...]
) -> Span:
    """Append the unit of a definition and those inside it; return its lines, decorators included."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    last = node.end_lineno or node.lineno
    is_class = isinstance(node, ast.ClassDef)
    kind: Kind = "class" if is_class else "method" if around and around[-1].startswith("class ") else "function"
    place, signature, names = len(units), signature_of(node, lines), (*names, node.name)
    inside = [append_units(inner, units, lines, names, (*around, signature)) for inner in definitions(node.body)]
    unit = Unit(
        *(".".join(names), kind, first, last, signature),
        decorators=tuple(" ".join(source(decorator, lines).split()) for decorator in node.decorator_list),
        docstring=docstring_of(node),
        ancestors=" > ".join(around),
        own=without(first, last, inside) if is_class else (),
    )
    units.insert(place, unit)
    return first, last


def docstring_of(node: Definition | ast.Module) -> str:
    return (ast.get_docstring(node) or "")[:DOCSTRING_CHARACTERS]


def signature_of(node: Definition, lines: Sequence[str]) -> str:
    """The definition as written, up to its body, on one line."""
    body = node.body[0]
    start = min([body.lineno, *(decorator.lineno for decorator in getattr(body, "decorator_list", []))])
    if start <= node.lineno:
        head = [lines[node.lineno - 1].encode()[: body.col_offset].decode(errors="ignore")]
    else:
        head = list(lines[node.lineno - 1 : start - 1])
    written = " ".join(" ".join(line.partition("  #")[0].split()) for line in head if not line.lstrip().startswith("#"))
    return written.strip().removesuffix(":").strip()


def source(node: ast.expr, lines: Sequence[str]) -> str:
    """The text of an expression."""
    parts = list(lines[node.lineno - 1 : node.end_lineno])
    parts[-1] = parts[-1].encode()[: node.end_col_offset].decode(errors="ignore")
    parts[0] = parts[0].encode()[node.col_offset :].decode(errors="ignore")
    return " ".join(parts)


def imports_of(tree: ast.Module) -> Iterator[str]:
    """The imports of a module, those inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}:{alias.name}" for alias in node.names)

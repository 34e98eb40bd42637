"""The units of a Python file, from its syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from codebase.units.unit import DOCSTRING_CHARACTERS, Kind, Parsed, Unit, without
from harness.syntax import parse_python

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Span = tuple[int, int]
HOLDERS = (*(ast.If, ast.For, ast.While, ast.With, ast.Try), ast.AsyncWith, ast.AsyncFor, ast.ExceptHandler)
"""Statements whose definitions belong to the body around."""


class Broken(Exception):
    """Python cannot parse the text; the message says where."""


def python_units(text: str, lines: Sequence[str]) -> Parsed:
    """One unit per function, class, method, and one for the module. Raises Broken."""
    try:
        tree = parse_python(text)
    except SyntaxError as error:
        raise Broken(f"line {error.lineno}: {error.msg}") from error
    except (RecursionError, MemoryError, ValueError, SystemError) as error:
        raise Broken(f"cannot be parsed: {error}") from error
    units: list[Unit] = []
    inner = [gathered(node, units, lines, (), ()) for node in definitions(tree.body)]
    module = Unit(
        *("", "module", 1, max(1, len(lines))),
        docstring=docstring_of(tree),
        own=without(1, max(1, len(lines)), inner),
    )
    return Parsed("python", (module, *units), tuple(dict.fromkeys(imports_of(tree))), tree=tree)


def definitions(body: Iterable[ast.stmt]) -> Iterator[Definition]:
    """The functions and classes of a body, those under `if`, `try` and `with` too."""
    # A stack of our own: a chain of a thousand `elif` nests as deep.
    left = list[ast.AST](body)[::-1]
    while left:
        node = left.pop()
        if isinstance(node, Definition):
            yield node
        elif isinstance(node, HOLDERS):
            inner = [one for part in ("body", "handlers", "orelse", "finalbody") for one in getattr(node, part, [])]
            left += inner[::-1]


def gathered(
    node: Definition, units: list[Unit], lines: Sequence[str], names: tuple[str, ...], around: tuple[str, ...]
) -> Span:
    """Append the unit of a definition and those inside it; return its lines, decorators included."""
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    last = node.end_lineno or node.lineno
    is_class = isinstance(node, ast.ClassDef)
    kind: Kind = "class" if is_class else "method" if around and around[-1].startswith("class ") else "function"
    place, signature, names = len(units), signature_of(node, lines), (*names, node.name)
    inside = [gathered(one, units, lines, names, (*around, signature)) for one in definitions(node.body)]
    unit = Unit(
        *(".".join(names), kind, first, last, signature),
        decorators=tuple(" ".join(source(one, lines).split()) for one in node.decorator_list),
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
    start = min([body.lineno, *(one.lineno for one in getattr(body, "decorator_list", []))])
    if start <= node.lineno:
        head = [lines[node.lineno - 1].encode()[: body.col_offset].decode(errors="ignore")]
    else:
        head = list(lines[node.lineno - 1 : start - 1])
    written = " ".join(" ".join(line.partition("  #")[0].split()) for line in head if not line.lstrip().startswith("#"))
    return written.strip().removesuffix(":").strip()


def source(node: ast.expr, lines: Sequence[str]) -> str:
    """The text of an expression."""
    found = list(lines[node.lineno - 1 : node.end_lineno])
    found[-1] = found[-1].encode()[: node.end_col_offset].decode(errors="ignore")
    found[0] = found[0].encode()[node.col_offset :].decode(errors="ignore")
    return " ".join(found)


def imports_of(tree: ast.Module) -> Iterator[str]:
    """What a module imports, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}:{alias.name}" for alias in node.names)

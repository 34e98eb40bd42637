"""Reads a snippet as the API check does, and keeps the possible values of every expression.

The check only keeps its findings. A rule needs the values too: `obj.select` is old if `obj` is an Object, and right
if it is a vertex. The arguments of calls count as the values of the function's parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.healing.package import AddonPackage
from app.reading.api.schema import api_of
from app.reading.api.values import UNKNOWN, Lit, OwnFunction, Value, join
from app.reading.own.hooks import CONTEXT
from app.reading.own.passing import own_definitions
from app.reading.reader import SnippetReader
from app.reading.remark import Remark
from app.reading.removals import Removals
from app.reading.survey import Survey, survey
from app.reading.usage.fits import Judge
from app.verdict.parse import python_lines
from ingest.manifest import Manifest
from python.guards import guarded_parts
from python.identifiers import FunctionDef, FunctionNode

Span = tuple[int, int, int, int]
"""First line (from 1) and column (in characters, from 0), last line and the column after the end."""

_Passed = dict[tuple[str, int | str], Value]
_CONTEXT: Final = "context"
_READINGS: Final = 4
"""The depth to which calls of the snippet's own functions are followed."""


@dataclass(frozen=True)
class Observations:
    """The results of reading a snippet."""

    values: dict[Span, Value]
    guarded: frozenset[Span]
    """Expressions in code that queries the API or catches its errors: right or wrong, they are intended."""
    for_some: tuple[Span, ...]
    """Code that runs only under a condition on Blender's version or API, dead or not."""
    remarks: tuple[Remark, ...]
    survey: Survey


def watch(tree: ast.Module, text: str, manifest: Manifest, package: AddonPackage | None = None) -> Observations:
    """Read a snippet, or one file of an add-on; code that nests too deep is read up to that point."""
    api, own = api_of(manifest), survey(tree).among(package.survey if package else None)
    judge = Judge(api, own, Removals.for_version(api.version))
    functions = {
        name: definition.node
        for name, definition in own_definitions(tree).items()
        if definition.is_simple and not definition.class_name
    }
    passed: _Passed = {}
    readings = 0
    while True:
        watcher = _Watcher(functions, passed, package is not None)
        reader = SnippetReader(judge, watcher)
        readings += 1
        try:
            reader.read(tree)
        except RecursionError:
            break
        if watcher.passing == passed or readings == _READINGS:
            break
        passed = watcher.passing
    columns = _Columns(text)
    values = {columns.span(span): value for span, value in watcher.seen.items()}
    guarded = frozenset(columns.span(span) for span in watcher.guarded)

    def truth(test: ast.expr) -> bool | None:
        value = watcher.seen.get(_span(test))
        return value.value if isinstance(value, Lit) and isinstance(value.value, bool) else None

    parts = guarded_parts(ast.walk(tree), own.asks, truth)
    for_some = tuple(columns.span(_span(part)) for part in parts if isinstance(part, ast.expr | ast.stmt))
    return Observations(values, guarded, for_some, tuple(reader.notes.remarks), own)


class _Watcher:
    """Observes one reading. `functions` are those at the top level by name; `passed` is what calls passed before."""

    def __init__(self, functions: Mapping[str, FunctionDef], passed: _Passed, in_addon: bool) -> None:
        self._functions = functions
        self._passed = passed
        self._in_addon = in_addon
        self.passing: _Passed = {}
        self.seen: dict[Span, Value] = {}
        self.guarded: set[Span] = set()

    def start_over(self) -> None:
        self.passing, self.seen, self.guarded = {}, {}, set()

    def see(self, node: ast.expr, value: Value, guarded: bool) -> None:
        span = _span(node)
        self.seen[span] = join([self.seen[span], value]) if span in self.seen else value
        if guarded:
            self.guarded.add(span)
        if isinstance(node, ast.Call) and isinstance(function := self.seen.get(_span(node.func)), OwnFunction):
            self._note_arguments(function.name, node)

    def parameter(self, node: FunctionNode, base: str, position: int, name: str) -> Value:
        if self._in_addon and name == _CONTEXT:
            # Functions of an add-on are given the context by others, which may be in another file.
            return CONTEXT
        if base or isinstance(node, ast.Lambda) or self._functions.get(node.name) is not node:
            return UNKNOWN
        keys: list[tuple[str, int | str]] = [(node.name, position), (node.name, name)]
        return join(self._passed[key] for key in keys if key in self._passed)

    def _note_arguments(self, name: str, call: ast.Call) -> None:
        given: list[tuple[int | str, ast.expr]] = [*enumerate(call.args)]
        given += [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg]
        for place, argument in given:
            # Only the kind matters, because plain values differ from call to call.
            value = self.seen.get(_span(argument), UNKNOWN)
            if isinstance(argument, ast.Starred) or isinstance(value, Lit):
                value = UNKNOWN
            key = (name, place)
            self.passing[key] = join([self.passing[key], value]) if key in self.passing else value


def _span(node: ast.expr | ast.stmt) -> Span:
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or node.col_offset


class _Columns:
    """Converts columns from UTF-8 bytes, which `ast` counts, to characters."""

    def __init__(self, text: str) -> None:
        self._lines = [line.encode(errors="replace") for line in python_lines(text)]

    def span(self, span: Span) -> Span:
        return span[0], self.column(span[0], span[1]), span[2], self.column(span[2], span[3])

    def column(self, line: int, offset: int) -> int:
        found = self._lines[line - 1] if line <= len(self._lines) else b""
        return offset if found.isascii() else len(found[:offset].decode(errors="replace"))

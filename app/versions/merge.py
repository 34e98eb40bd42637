"""Merges the snippets of several Blenders into one that branches on the version, statement by statement.

    for 4.5        for 5.0                 for both
    a = first()    a = first()             a = first()
    a.old = 1      a.new = 1        ──>    if bpy.app.version >= (5, 0, 0):
    last(a)        last(a)                     a.new = 1
                                           else:
                                               a.old = 1
                                           last(a)

Common statements are written once; comments do not count. Functions, loops and similar blocks that differ only inside
are merged inside. The merged text is read back for every Blender and must give that Blender's own text again.
"""

from __future__ import annotations

import ast
import contextlib
import io
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from app.versions.branches import VERSION, holds, lines_of, resolve
from python.flow import first_line
from python.identifiers import Definition, parameters
from python.parsing import parse_python
from python.scopes import bindings_in, own_nodes

Version = tuple[int, ...]
"""The version of a Blender, such as (5, 0, 1)."""

_Block = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.With | ast.For | ast.While | ast.If


class CannotMerge(Exception):
    """The texts cannot be merged with branches; the message says why."""


def merge(texts: Mapping[Version, str]) -> str:
    """One text that means, on each of these Blenders, the text given for it.

    Raises CannotMerge if one is not Python, or if they differ in code that must be at the top of a file.
    """
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    newest_first = sorted(texts, reverse=True)
    try:
        sources = [_VersionText(version, _with_bpy(texts[version])) for version in newest_first]
        merged = "\n".join(_Merger(sources).regions([_whole(source) for source in sources])).rstrip("\n") + "\n"
        with contextlib.suppress(SyntaxError, ValueError):
            # The import may have moved into a branch with its neighbours.
            merged = _with_bpy(merged)
        wrong = [source.version for source in sources if not _is(merged, source)]
    except (SyntaxError, ValueError) as error:
        raise CannotMerge(f"one of the texts is not Python: {error}") from error
    except RecursionError as error:
        raise CannotMerge("one of the texts nests too deep to be followed") from error
    if wrong:
        raise CannotMerge(f"the merged text would not be what Blender {_version_words(wrong[0])} needs")
    return merged


def _is(merged: str, source: _VersionText) -> bool:
    """True if the merged text means, on the Blender of a source, that source."""
    try:
        tree = parse_python(merged)
        compile(tree, "<merged>", "exec", dont_inherit=True)
        return _dump(resolve(tree, source.version)) == _dump(resolve(source.tree, source.version))
    except (SyntaxError, ValueError):
        return False


def _dump(tree: ast.Module) -> str:
    """The content of a module without its imports of bpy, whose place does not matter as long as they come first."""
    return "\n".join(ast.dump(node) for node in tree.body if not _imports_bpy(node))


def _imports_bpy(node: ast.stmt) -> bool:
    """True if a statement is `import bpy` and nothing else."""
    return isinstance(node, ast.Import) and [(alias.name, alias.asname) for alias in node.names] == [("bpy", None)]


class _VersionText:
    """The text for one Blender, as lines and as a tree. Lines count from 1."""

    def __init__(self, version: Version, text: str) -> None:
        self.version = version
        self.lines = lines_of(text.rstrip("\n"))
        self.tree = parse_python(text)
        self.unit = "\t" if any(line.startswith("\t") for line in self.lines) else "    "
        self._inside = _lines_inside_strings(text)

    def cut(self, first: int, last: int) -> list[str]:
        """These lines, both included."""
        return self.lines[first - 1 : last]

    def indented(self, first: int, last: int) -> list[str]:
        """The same, one level deeper; text inside a multi-line string is not indented."""
        return [
            line if number in self._inside or not line.strip() else self.unit + line
            for number, line in enumerate(self.cut(first, last), first)
        ]

    def is_remark(self, number: int) -> bool:
        """True if a line has no code."""
        line = self.lines[number - 1].strip()
        return number not in self._inside and (not line or line.startswith("#"))


def _lines_inside_strings(text: str) -> set[int]:
    """The lines that begin inside a string."""
    inside: set[int] = set()
    opened: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name == "FSTRING_START":
            opened.append(token.start[0])
        elif name == "STRING" or name == "FSTRING_END":
            first = opened.pop() if name == "FSTRING_END" else token.start[0]
            inside.update(range(first + 1, token.end[0] + 1))
    return inside


@dataclass(frozen=True)
class _StatementRun:
    """The statements of some lines, mostly one, with the comments above it from `lead` on."""

    source: _VersionText
    nodes: tuple[ast.stmt, ...]
    lead: int
    first: int
    last: int

    @property
    def key(self) -> str:
        return "\n".join(ast.dump(node) for node in self.nodes)

    @property
    def block(self) -> _Block | None:
        """The statement, if it is a compound one whose body is on lines of its own."""
        node = self.nodes[0]
        if len(self.nodes) > 1 or not isinstance(node, _Block) or node.body[0].lineno == node.lineno:
            return None
        return None if isinstance(node, ast.For | ast.While) and node.orelse else node

    @property
    def head(self) -> str:
        """A block without its body; any other statement as a whole."""
        block = self.block
        if block is None:
            return self.key
        fields = {name: value for name, value in ast.iter_fields(block) if name not in ("body", "orelse")}
        return type(block).__name__ + ast.dump(type(block)(**fields, body=[]))


@dataclass(frozen=True)
class _Region:
    """Consecutive statements, and the last line that belongs to them."""

    chunks: list[_StatementRun]
    source: _VersionText
    last: int


def _whole(source: _VersionText) -> _Region:
    return _region(source, source.tree.body, 1, len(source.lines))


def _region(source: _VersionText, body: Sequence[ast.stmt], first: int, last: int) -> _Region:
    """The statements between these lines. Those that share a line are one chunk."""
    chunks: list[_StatementRun] = []
    for node in body:
        start = first_line(node)
        end = node.end_lineno or node.lineno
        if chunks and start <= chunks[-1].last:
            before = chunks.pop()
            chunks.append(
                _StatementRun(source, (*before.nodes, node), before.lead, before.first, max(before.last, end))
            )
        else:
            lead = chunks[-1].last + 1 if chunks else first
            chunks.append(_StatementRun(source, (node,), lead, start, end))
    return _Region(chunks, source, last)


class _Merger:
    """Merges regions, one per Blender, the newest first."""

    def __init__(self, sources: Sequence[_VersionText]) -> None:
        self._all = [source.version for source in sources]

    def regions(self, regions: Sequence[_Region]) -> list[str]:
        """The merged lines of these regions."""
        lines: list[str] = []
        for aligned in _alignment([region.chunks for region in regions]):
            if all(len(chunks) == 1 for chunks in aligned):
                lines += self._statement([chunks[0] for chunks in aligned])
            else:
                lines += self._branches(aligned, [region.source for region in regions])
        newest = regions[0]
        end = newest.chunks[-1].last if newest.chunks else newest.last
        return lines + newest.source.cut(end + 1, newest.last)

    def _statement(self, chunks: Sequence[_StatementRun]) -> list[str]:
        """The merged lines of one statement per Blender, all with the same head."""
        newest = chunks[0]
        if len({chunk.key for chunk in chunks}) == 1:
            return newest.source.cut(newest.lead, newest.last)
        inside = self._inside(chunks)
        return inside if inside is not None else self._branches([[chunk] for chunk in chunks], [])

    def _inside(self, chunks: Sequence[_StatementRun]) -> list[str] | None:
        """The merged lines of a block that differs inside; None if it cannot be merged inside."""
        newest = chunks[0]
        blocks = [chunk.block for chunk in chunks]
        if any(block is None for block in blocks) or not _share_scope([block for block in blocks if block]):
            return None
        bodies = [_body(chunk.source, block) for chunk, block in zip(chunks, blocks, strict=True) if block]
        lines = newest.source.cut(newest.lead, newest.first - 1)
        lines += newest.source.cut(newest.first, bodies[0].chunks[0].lead - 1)
        first = blocks[0]
        if not isinstance(first, ast.If):
            return lines + self.regions(bodies)
        # An existing guard: each branch gets only what the Blenders that take it need.
        truths = [holds(first.test, chunk.source.version) for chunk in chunks]
        lines += self.regions(_takers(bodies, [truth is not False for truth in truths]))
        others = [_otherwise(chunk, block) for chunk, block in zip(chunks, blocks, strict=True) if block]
        if all(other is None for other in others):
            return lines
        if any(other is None for other in others):
            return None
        given = [other for other in others if other]
        lines += newest.source.cut(bodies[0].chunks[-1].last + 1, given[0].chunks[0].lead - 1)
        return lines + self.regions(_takers(given, [truth is not True for truth in truths]))

    def _branches(self, aligned: Sequence[Sequence[_StatementRun]], sources: Sequence[_VersionText]) -> list[str]:
        """Branches on the version, one for each different text."""
        groups = self._groups(aligned, [source.version for source in sources])
        present = [chunks for _, chunks in groups if chunks]
        newest = present[0]
        for chunks in present:
            _check_branchable(chunks)
        margin = _margin(newest[0])
        gap = _gap(newest[0])
        lines = [""] * gap
        if len(groups) == 2 and not groups[0][1]:
            # The newer Blenders need nothing here.
            return [*lines, f"{margin}if {VERSION} < {groups[0][0]}:", *_deeper(groups[1][1])]
        for number, (since, chunks) in enumerate(groups):
            last = number == len(groups) - 1
            if last and not chunks:
                break
            word = "else:" if last else f"{'elif' if number else 'if'} {VERSION} >= {since}:"
            lines.append(f"{margin}{word}")
            lines += _deeper(chunks) if chunks else [f"{margin}{newest[0].source.unit}pass"]
        return lines

    def _groups(
        self, aligned: Sequence[Sequence[_StatementRun]], versions: Sequence[Version]
    ) -> list[tuple[Version, Sequence[_StatementRun]]]:
        """Neighbouring Blenders with the same text in one group: its first version, and its statements."""
        versions = versions or [chunks[0].source.version for chunks in aligned]
        groups: list[tuple[Version, Sequence[_StatementRun]]] = []
        key = ""
        for number, (version, chunks) in enumerate(zip(versions, aligned, strict=True)):
            same = "\n".join(chunk.key for chunk in chunks)
            older = versions[number + 1] if number + 1 < len(versions) else None
            if groups and same == key:
                groups[-1] = (_since(version, older), groups[-1][1])
            else:
                groups.append((_since(version, older), chunks))
            key = same
        return groups


def _alignment(columns: Sequence[Sequence[_StatementRun]]) -> list[list[Sequence[_StatementRun]]]:
    """The statements of all texts, side by side: one of each with the same head, and the rest between those."""
    rows = [[number] for number in range(len(columns[0]))]
    for column in columns[1:]:
        matcher = SequenceMatcher(
            None, [columns[0][row[0]].head for row in rows], [chunk.head for chunk in column], autojunk=False
        )
        rows = [
            [*rows[block.a + step], block.b + step]
            for block in matcher.get_matching_blocks()
            for step in range(block.size)
        ]
    ends = [[-1] * len(columns), *rows, [len(column) for column in columns]]
    alignment: list[list[Sequence[_StatementRun]]] = []
    for before, row in pairwise(ends):
        between = [column[start + 1 : end] for column, start, end in zip(columns, before, row, strict=True)]
        if any(between):
            alignment.append(between)
        if row is not ends[-1]:
            alignment.append([[column[at]] for column, at in zip(columns, row, strict=True)])
    return alignment


@dataclass(frozen=True)
class _ScopeFacts:
    """The facts about a function or a class that decide whether other statements can be merged into it."""

    bound: frozenset[str]
    declared: frozenset[tuple[str, str]]
    mentioned: frozenset[str]
    yields: bool
    docstring: str | None
    bpy_first: bool


def _scope(block: Definition) -> _ScopeFacts:
    own = list(own_nodes(block.body, Definition | ast.Lambda))
    declared = {(type(node).__name__, name) for node in own if isinstance(node, _Declaration) for name in node.names}
    bound = {name for name, _ in bindings_in(block.body)} - {name for _, name in declared}
    docstring = ast.get_docstring(block)
    begin = block.body[1:] if docstring is not None else block.body
    given = set[str]() if isinstance(block, ast.ClassDef) else {parameter.arg for parameter in parameters(block.args)}
    return _ScopeFacts(
        bound=frozenset(bound | given),
        declared=frozenset(declared),
        mentioned=frozenset(node.id for node in ast.walk(block) if isinstance(node, ast.Name)),
        yields=any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own),
        docstring=docstring,
        bpy_first="bpy" not in given and bool(begin) and _imports_bpy(begin[0]),
    )


_Declaration = ast.Global | ast.Nonlocal


def _share_scope(blocks: Sequence[_Block]) -> bool:
    """True if each of these functions or classes keeps its meaning when statements of the others are merged into it.

    A name that one of them assigns becomes local in all branches, and a `yield` in one branch makes the whole function
    a generator.
    """
    scopes = [_scope(block) for block in blocks if isinstance(block, Definition)]
    bound = frozenset[str]().union(*(scope.bound for scope in scopes))
    declared = frozenset[tuple[str, str]]().union(*(scope.declared for scope in scopes))
    for scope in scopes:
        others = {name for _, name in declared - scope.declared} | (bound - scope.bound)
        if (scope.yields, scope.docstring) != (scopes[0].yields, scopes[0].docstring) or others & scope.mentioned:
            return False
    return "bpy" not in bound or all(scope.bpy_first for scope in scopes)


def _body(source: _VersionText, block: _Block) -> _Region:
    """The body of a block; comments above its first statement belong to it."""
    first = block.body[0]
    start = first_line(first)
    while source.is_remark(start - 1):
        start -= 1
    return _region(source, block.body, start, block.body[-1].end_lineno or start)


def _otherwise(chunk: _StatementRun, block: _Block) -> _Region | None:
    """The body of `else:`, or the `if` of an `elif`; None if there is neither."""
    orelse = block.orelse if isinstance(block, ast.If) else []
    if not orelse:
        return None
    source, first = chunk.source, orelse[0]
    start = first_line(first)
    if not source.lines[first.lineno - 1].lstrip().startswith("elif"):
        while source.is_remark(start - 1):
            start -= 1
    return _region(source, orelse, start, orelse[-1].end_lineno or start)


def _takers(regions: Sequence[_Region], taken: Sequence[bool]) -> list[_Region]:
    """The regions of the Blenders that take this branch; the first region if none does."""
    return [region for region, comes in zip(regions, taken, strict=True) if comes] or [regions[0]]


def _since(version: Version, older: Version | None) -> Version:
    """The first version for a text: the series, unless an older Blender of the same series has another text."""
    series = (*version[:2], 0)
    return version if older and older >= series else series


def _deeper(chunks: Sequence[_StatementRun]) -> list[str]:
    """Statements with the comments between them, one level deeper; no gap at the top."""
    first, last = chunks[0], chunks[-1]
    return first.source.indented(first.lead + _gap(first), last.last)


def _gap(chunk: _StatementRun) -> int:
    """The number of empty lines above a statement and its comments."""
    gap = 0
    while chunk.lead + gap < chunk.first and not chunk.source.lines[chunk.lead + gap - 1].strip():
        gap += 1
    return gap


def _margin(chunk: _StatementRun) -> str:
    line = chunk.source.lines[chunk.first - 1]
    return line[: len(line) - len(line.lstrip())]


def _check_branchable(chunks: Sequence[_StatementRun]) -> None:
    """Raise CannotMerge for statements that cannot be in a branch."""
    first = chunks[0]
    if first.source.lines[first.first - 1].lstrip().startswith("elif"):
        raise CannotMerge("an `elif` that differs cannot be in a branch of its own")
    for chunk in chunks:
        for node in chunk.nodes:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                raise CannotMerge("the texts differ in what they import from `__future__`")


def _with_bpy(text: str) -> str:
    """The text with `import bpy`, which branches need, before its first other code. An import that is there already
    ends its line.
    """
    body = parse_python(text).body
    lines = lines_of(text.rstrip("\n"))
    at = 0
    for node, following in zip(body, [*body[1:], None], strict=True):
        match node:
            case ast.Import(names=names) if any(name.name == "bpy" and not name.asname for name in names):
                if following and following.lineno == node.end_lineno:
                    # The code after it may differ.
                    line = lines[following.lineno - 1].encode()
                    parts = line[: node.end_col_offset], line[following.col_offset :]
                    lines[following.lineno - 1 : following.lineno] = [part.decode() for part in parts]
                    return "\n".join(lines) + "\n"
                return text
            case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__"):
                at = node.end_lineno or node.lineno
            case ast.Import() | ast.ImportFrom():
                pass
            case _:
                break
    return "\n".join([*lines[:at], "import bpy", *lines[at:]]) + "\n"


def _version_words(version: Version) -> str:
    return ".".join(str(part) for part in version)

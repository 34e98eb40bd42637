"""The definitions behind the names that a line uses: by the edges of the graph, otherwise by scope and name."""

from __future__ import annotations

import ast
import builtins
import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Final

from codebase.diagnosis.places import maker_of
from codebase.diagnosis.statement import UsedName, targets
from codebase.diagnosis.texts import Texts
from codebase.graph.edge import KINDS, Certainty, Edge
from codebase.graph.graph import STRUCTURE, UnitGraph
from codebase.index.snapshot import Snapshot
from python.identifiers import dotted_end

MOST_NAMESAKES: Final = 12
"""A name that more units than this define is not followed."""
BASES: Final = 4
DECLARED: Final = re.compile(r"\s*(\w+)\s*[:=]")
BUILT_IN: Final = frozenset(
    name
    for owner in (builtins, str, bytes, list, dict, set, int, float, tuple, re.Pattern, re.Match)
    for name in dir(owner)
)
"""Names of Python itself: a unit that has such a name by chance is not meant."""
ONLY: Final = 0.75
"""The trust in a name that only one unit of the repository defines."""
TRUST: Final[dict[Certainty, float]] = {"exact": 1.0, "inferred": 0.8, "by name": 0.45}


@dataclasses.dataclass(frozen=True)
class Definition:
    """The definition of a name on a line. `unit` holds it; a variable or field is only its lines there."""

    name: str
    path: str
    first: int
    last: int
    kind: str
    signature: str
    certainty: Certainty
    unit: int | None
    used: UsedName
    share: float = 1.0
    """Its share among all definitions of the name: less if it is one of many, more than 1 if it is the only one."""

    @property
    def trust(self) -> float:
        """The trust that this definition is the right one, at most 1."""
        return max(TRUST[self.certainty], ONLY if self.share > 1 else 0.0) * min(1.0, self.share)

    @property
    def citation(self) -> str:
        """The lines, as `path:first-last`."""
        return f"{self.path}:{self.first}-{self.last}"


def callers(graph: UnitGraph, unit: int) -> list[Edge]:
    """The edges that lead to a unit by a call or a framework, the surest first."""
    edges = [edge for edge in graph.edges_to(unit) if edge.kind not in STRUCTURE]
    return sorted(edges, key=lambda edge: -TRUST[edge.certainty])


class Definitions:
    """Finds definitions in one repository."""

    def __init__(self, snapshot: Snapshot, texts: Texts, graph: UnitGraph) -> None:
        self._snapshot, self._texts, self._graph = snapshot, texts, graph

    def of(self, path: str, unit: int | None, used: Iterable[UsedName]) -> list[Definition]:
        """The definitions of some names in a unit of a file, in their order, each once."""
        definitions: dict[tuple[str, int], Definition] = {}
        for name in used:
            for definition in self._of(path, unit, name):
                for each in (definition, *self._maker(definition)):
                    definitions.setdefault((each.path, each.first), each)
        return list(definitions.values())

    def _of(self, path: str, unit: int | None, used: UsedName) -> Iterator[Definition]:
        linked = list(self._by_edges(unit, used))
        if linked:
            yield from linked
        elif used.use != "string":
            root, _, rest = used.text.partition(".")
            if root in ("self", "cls") and rest:
                yield from self._member(unit, used, rest.partition(".")[0])
                if "." in rest:
                    yield from self._namesakes(path, used)
            else:
                yield from self._plain(path, unit, used, root)

    def _maker(self, definition: Definition) -> Iterator[Definition]:
        """The method that makes objects of a class, its own or inherited."""
        if definition.kind == "class" and definition.unit is not None and definition.used.use == "call":
            for place in self.lineage(definition.unit):
                method = maker_of(self._snapshot, place)
                if method is not None:
                    yield self._unit(method, definition.certainty, definition.used)
                    return

    def _by_edges(self, unit: int | None, used: UsedName) -> Iterator[Definition]:
        """Targets of edges of the unit that have the name, or that a framework takes a string on the line for."""
        for around in self._around(unit):
            for edge in self._graph.edges_from(around):
                name = self._snapshot.units[edge.target].name
                is_named = used.use != "string" and edge.kind not in STRUCTURE and used.last in name.split(".")[-2:]
                if is_named or (edge.kind not in KINDS and self._leads_to(edge, used)):
                    definition = self._unit(edge.target, edge.certainty, used)
                    yield self._by_name(definition) if edge.certainty == "by name" else definition

    def _leads_to(self, edge: Edge, used: UsedName) -> bool:
        """True if a name leads a framework to the target of an edge: on its line, or declared or quoted there."""
        if used.use == "name":
            return False
        quoted = used.text if used.use == "string" else ".".join(used.text.split(".")[-2:])
        declared = re.compile(rf"^\s*{re.escape(used.last)}\s*[:=]|[\"']{re.escape(quoted)}[\"']", re.MULTILINE)
        return edge.line == used.line or bool(declared.search(self.text(edge.target)))

    def text(self, unit: int) -> str:
        """The lines of a unit itself, as they are now."""
        lines = self._texts.lines(self._snapshot.paths[int(self._snapshot.unit_file[unit])])
        return "\n".join(line for first, last in self._snapshot.units[unit].spans for line in lines[first - 1 : last])

    def declares(self, edge: Edge, names: set[str]) -> bool:
        """True if the line of an edge declares one of some names, like a property with a callback."""
        lines = self._texts.lines(self._snapshot.paths[int(self._snapshot.unit_file[edge.source])])
        match = DECLARED.match(lines[edge.line - 1]) if 0 < edge.line <= len(lines) else None
        return bool(match and match[1] in names)

    def _around(self, unit: int | None) -> list[int]:
        """A unit and those around it in its file."""
        if unit is None:
            return []
        inner = self._snapshot.units[unit]
        return [
            outer
            for outer in self._snapshot.file_units[int(self._snapshot.unit_file[unit])]
            if self._snapshot.units[outer].first <= inner.first and inner.last <= self._snapshot.units[outer].last
        ]

    def _member(self, unit: int | None, used: UsedName, name: str) -> Iterator[Definition]:
        """A method of the class around, or of its bases, or the lines that set a field."""
        around = [outer for outer in self._around(unit) if self._snapshot.units[outer].kind == "class"]
        if not around:
            return
        lineage = list(self.lineage(around[-1]))
        for place in lineage:
            owner = self._snapshot.units[place]
            for member in self._snapshot.file_units[int(self._snapshot.unit_file[place])]:
                if self._snapshot.units[member].name == f"{owner.name}.{name}":
                    yield self._unit(member, "exact" if place == around[-1] else "inferred", used)
                    return
        for place in lineage:
            yield from self._fields(place, name, used)

    def lineage(self, unit: int) -> Iterator[int]:
        """A class and those that it inherits from, nearest first."""
        queue, seen = [unit], {unit}
        while queue and len(seen) < BASES * 4:
            place = queue.pop(0)
            yield place
            bases = [edge.target for edge in self._graph.edges_from(place) if edge.kind == "inherits"]
            if not bases:
                written = self._snapshot.units[place].signature.partition("(")[2].rstrip(")")
                names = [base.strip().rpartition(".")[2] for base in written.split(",")]
                bases = [base for name in names for base in self._classes(name)]
            queue += [base for base in bases if base not in seen]
            seen.update(bases)

    def _classes(self, name: str) -> list[int]:
        classes = [
            unit for unit in self._snapshot.definitions.get(name, []) if self._snapshot.units[unit].kind == "class"
        ]
        return classes if len(classes) <= 2 else []

    def _fields(self, place: int, name: str, used: UsedName) -> Iterator[Definition]:
        """The lines of a class that declare a field or set it."""
        path = self._snapshot.paths[int(self._snapshot.unit_file[place])]
        tree, owner = self._texts.tree(path), self._snapshot.units[place]
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Assign | ast.AnnAssign) and owner.first <= node.lineno <= owner.last:
                names = [name_set for target in targets_of(node) for name_set in (*targets(target), dotted_end(target))]
                if name in names or f"self.{name}" in names or f"cls.{name}" in names:
                    yield self._lines(path, node, f"{owner.name}.{name}", "field", "inferred", used)

    def _plain(self, path: str, unit: int | None, used: UsedName, root: str) -> Iterator[Definition]:
        """A name of the file, of a module that it imports, or of anything."""
        if used.is_local:
            if "." in used.text:
                yield from self._namesakes(path, used)
            return
        units, here = self._snapshot.units, self._snapshot.file_units[self._snapshot.number[path]]
        scopes = [units[outer].name for outer in self._around(unit)] or [""]
        names = {f"{scope}.{used.text}".lstrip(".") for scope in [*scopes, ""]}
        own = [place for place in here if units[place].name in names and units[place].kind != "module"]
        if own:
            yield from (self._unit(place, "exact", used) for place in own[-1:])
            return
        imported = list(self._from_imports(path, used, root))
        if imported:
            yield from imported
            return
        variables = list(self._variables(path, root, used)) if used.use != "attribute" or "." in used.text else []
        if variables:
            yield from variables[-2:]
        if not variables or "." in used.text:
            yield from self._namesakes(path, used)

    def _from_imports(self, path: str, used: UsedName, root: str) -> Iterator[Definition]:
        """A name that the file imports, or a member of a module that it imports."""
        modules = self._snapshot.modules
        for written in self._snapshot.entries[self._snapshot.number[path]].parsed.imports:
            module, _, name = written.partition(":")
            last = (name or module).rpartition(".")[2]
            if last == root:
                for file in modules.resolve(path, written) if path in modules.names else ():
                    yield from self._in_file(file, used, used.text.split("."))

    def _in_file(self, path: str, used: UsedName, parts: list[str]) -> Iterator[Definition]:
        """The definition in a file of a dotted name, or of the rest after its module."""
        units = self._snapshot.units
        for place in self._snapshot.file_units[self._snapshot.number[path]]:
            name = units[place].name
            if name and (name == ".".join(parts) or name == ".".join(parts[1:]) or name == parts[0]):
                yield self._unit(place, "exact", used)
                return
        yield from list(self._variables(path, parts[-1], used))[-1:]

    def _variables(self, path: str, name: str, used: UsedName) -> Iterator[Definition]:
        """The lines at the top of a module that give a name a value."""
        tree = self._texts.tree(path)
        for node in tree.body if tree else ():
            if isinstance(node, ast.Assign | ast.AnnAssign) and name in [
                name_set for target in targets_of(node) for name_set in targets(target)
            ]:
                yield self._lines(path, node, name, "variable", "exact", used)

    def _namesakes(self, path: str, used: UsedName) -> Iterator[Definition]:
        """Every definition of the name, if there are few."""
        places = self._snapshot.definitions.get(used.last, [])
        places = [
            place for place in places if self._snapshot.roles[int(self._snapshot.unit_file[place])] != "test"
        ] or places
        if len(places) > MOST_NAMESAKES or len(used.last) < 3 or used.last in BUILT_IN:
            return
        near = path.rpartition("/")[0]
        for place in sorted(places, key=lambda unit: self._snapshot.paths[int(self._snapshot.unit_file[unit])] != near):
            yield self._by_name(self._unit(place, "by name", used))

    def _by_name(self, definition: Definition) -> Definition:
        """A definition with its share among all definitions of its name."""
        namesakes = len(self._snapshot.definitions.get(definition.name.rpartition(".")[2], [])) or 1
        return dataclasses.replace(definition, share=(2 / namesakes) ** 0.5)

    def _unit(self, place: int, certainty: Certainty, used: UsedName) -> Definition:
        unit = self._snapshot.units[place]
        path = self._snapshot.paths[int(self._snapshot.unit_file[place])]
        first, last = (unit.first, unit.last) if unit.kind != "class" else unit.cited
        signature = unit.signature or unit.name or path
        return Definition(unit.name or path, path, first, last, unit.kind, signature, certainty, place, used)

    def _lines(
        self, path: str, node: ast.stmt, name: str, kind: str, certainty: Certainty, used: UsedName
    ) -> Definition:
        first, last = node.lineno, node.end_lineno or node.lineno
        file = self._snapshot.number[path]
        holding = [
            unit
            for unit in self._snapshot.file_units[file]
            if self._snapshot.units[unit].first <= first <= self._snapshot.units[unit].last
        ]
        signature = " ".join(self._texts.lines(path)[first - 1].split())[:160]
        return Definition(name, path, first, last, kind, signature, certainty, holding[-1] if holding else None, used)


def targets_of(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    """The targets of an assignment."""
    return node.targets if isinstance(node, ast.Assign) else [node.target]

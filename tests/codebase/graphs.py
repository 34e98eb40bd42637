"""The graph of small repositories, without an index."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from textwrap import dedent

from codebase.graph.build import edges_of, facts_of
from codebase.graph.code import Code, CodeFile
from codebase.graph.edge import Edge, Gap, SourceText
from codebase.units.read import read_units


def code_of(files: Mapping[str, str]) -> Code:
    """The units and facts of some texts, the facts as an index gives them back."""
    found: list[CodeFile] = []
    first = 0
    for path, text in sorted(files.items()):
        parsed = read_units(path, dedent(text))
        source = SourceText(parsed.language, dedent(text), parsed.units, parsed.tree)
        found.append(CodeFile(path, parsed.language, first, parsed.units, json.loads(json.dumps(facts_of(source)))))
        first += len(parsed.units)
    return Code(found)


def edges_in(files: Mapping[str, str]) -> tuple[set[str], set[str]]:
    """The edges as `a.py:f calls b.py:g exact`, and the gaps as `a.py:f name`."""
    code = code_of(files)
    edges, gaps = edges_of(code)
    return {said(code, edge) for edge in edges}, {gap_said(code, gap) for gap in gaps}


def said(code: Code, edge: Edge) -> str:
    return f"{unit_said(code, edge.source)} {edge.kind} {unit_said(code, edge.target)} {edge.certainty}"


def gap_said(code: Code, gap: Gap) -> str:
    return f"{unit_said(code, gap.source)} {gap.name}"


def unit_said(code: Code, unit: int) -> str:
    return f"{code.owner(unit).path}:{code.units[unit].name}"


SHAPES = """\
    class Shape:
        def area(self):
            return 0
        def twice(self):
            return self.area() * 2

    class Square(Shape):
        def __init__(self, side):
            self.side = side
        def area(self):
            return super().area() + self.side
"""


@dataclasses.dataclass
class Trap:
    """Files, the edges that there must be, and parts of edges that there must not be."""

    files: dict[str, str]
    edges: tuple[str, ...]
    absent: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()

    def check(self) -> None:
        """Make the graph of the files, and look at its edges and gaps."""
        edges, gaps = edges_in(self.files)
        listed = "\n".join(sorted(edges)) + "\n" + "\n".join(sorted(gaps))
        assert set(self.edges) <= edges, listed
        assert set(self.gaps) <= gaps, listed
        assert [edge for edge in edges for part in self.absent if part in edge] == [], listed

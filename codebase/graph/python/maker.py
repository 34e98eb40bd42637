"""The maker of Python's edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codebase.graph.code import Code
from codebase.graph.edge import Edge, Gap, SourceText
from codebase.graph.python.edges import PythonEdges
from codebase.graph.python.statements import read_module


class PythonMaker:
    """Calls, uses, imports, inheritance and overriding in Python."""

    name = "python"
    languages = ("python",)

    def facts(self, source: SourceText) -> Any:
        if source.tree is None:
            return None
        units = {(unit.name, unit.first): place for place, unit in enumerate(source.units)}
        module = next((place for place, unit in enumerate(source.units) if unit.kind == "module"), -1)
        return read_module(source.tree, units, module).to_json()

    def edges(self, code: Code) -> Iterator[Edge | Gap]:
        return iter(PythonEdges(code, self.name))

"""The values of the expressions of a tree, and what is around each of its nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from app.reading.api.schema import Api, api_of
from app.reading.api.values import UNKNOWN, Value, join, options
from app.reading.reader import SnippetReader
from app.reading.removals import Removals
from app.reading.survey import survey
from app.reading.usage.fits import Judge
from app.verdict.coping import TOO_DEEP
from ingest.manifest import Manifest
from python.identifiers import FunctionNode


class SeenTree:
    """A tree that was read with a manifest."""

    def __init__(self, tree: ast.Module, manifest: Manifest) -> None:
        self.tree = tree
        self.api: Api = api_of(manifest)
        self.parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self._values: dict[ast.expr, Value] = {}
        judge = Judge(self.api, survey(tree), Removals.for_version(self.api.version))
        try:
            SnippetReader(judge, self).read(tree)
        except TOO_DEEP:
            return

    def start_over(self) -> None:
        """Forget the reading before."""
        self._values.clear()

    def see(self, node: ast.expr, value: Value, guarded: bool) -> None:
        """Take note of the value of an expression."""
        del guarded
        self._values[node] = join([self._values[node], value]) if node in self._values else value

    def parameter(self, node: FunctionNode, base: str, position: int, name: str) -> Value:
        """Nothing is known of the parameters that the reading does not know."""
        del node, base, position, name
        return UNKNOWN

    def values(self, node: ast.expr) -> tuple[Value, ...]:
        """The values that an expression can have."""
        return options(self._values.get(node, UNKNOWN))

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, the nearest first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

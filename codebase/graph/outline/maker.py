"""The maker of outlines: the facts about Python texts that frameworks read. It makes no edges of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any, Final

from codebase.graph.code import Code
from codebase.graph.edge import Edge, SourceText
from codebase.graph.outline.outline import Reader

NAME: Final = "outline"


class OutlineMaker:
    """Names, classes, and the calls and attributes that frameworks give a meaning."""

    name = NAME
    languages = ("python",)

    def facts(self, source: SourceText) -> Any:
        if source.tree is None:
            return None
        reader = Reader(source)
        # What nests too deep is left out; what was found before it stays.
        with contextlib.suppress(RecursionError):
            reader.body(source.tree.body)
        return vars(reader.found) | {"returns": list(reader.found.returns.items())}

    def edges(self, code: Code) -> Iterable[Edge]:
        return ()

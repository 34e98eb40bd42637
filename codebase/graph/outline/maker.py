"""The maker of outlines: the facts about Python texts that frameworks read. It makes no edges of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any, Final

from codebase.graph.code import Code
from codebase.graph.edge import Edge, SourceText
from codebase.graph.outline.outline import OutlineReader

NAME: Final = "outline"


class OutlineMaker:
    """Names, classes, and the calls and attributes that frameworks give a meaning."""

    name = NAME
    languages = ("python",)

    def facts(self, source: SourceText) -> Any:
        if source.tree is None:
            return None
        reader = OutlineReader(source)
        # Expressions that nest too deep are left out; the facts before them stay.
        with contextlib.suppress(RecursionError):
            reader.body(source.tree.body)
        return vars(reader.outline) | {"returns": list(reader.outline.returns.items())}

    def edges(self, code: Code) -> Iterable[Edge]:
        return ()

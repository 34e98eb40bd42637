"""An observer of a reading, which may need more than the findings."""

from __future__ import annotations

import ast
from typing import Protocol

from app.reading.api.values import Value
from python.identifiers import FunctionNode


class Observer(Protocol):
    """Sees every expression as it is read, and may know what parameters hold."""

    def start_over(self) -> None:
        """Forget the reading before: it knew less of the arguments of calls."""
        ...

    def see(self, node: ast.expr, value: Value, guarded: bool) -> None:
        """Take note of the value of an expression. `guarded`: no remark would be kept here."""
        ...

    def parameter(self, node: FunctionNode, base: str, position: int, name: str) -> Value:
        """The value of a parameter of which the reading knows nothing."""
        ...

"""The state that the writers of one request share, and the table of the writers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from app.drafting.commands.names import Names
from app.drafting.commands.script import Script
from app.drafting.commands.subjects import Subjects


@dataclass(frozen=True)
class Context:
    """The snippet in the making and the things that its sentences name."""

    script: Script
    subjects: Subjects

    @property
    def names(self) -> Names:
        """The names of the target Blender."""
        return self.script.names


Writer = Callable[[Context, Any], None]
WRITERS: Final[dict[str, Writer]] = {}
"""The function that writes each kind of operation, by its `do`."""
_W = TypeVar("_W", bound=Writer)


def writes(*kinds: str) -> Callable[[_W], _W]:
    """Register a function as the writer of these kinds of operations."""

    def enter(writer: _W) -> _W:
        WRITERS.update(dict.fromkeys(kinds, writer))
        return writer

    return enter

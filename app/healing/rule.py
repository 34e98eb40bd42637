"""The definition of a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from app.healing.edits import TreeEdit
from app.healing.sight import Sight

_SINCE: Final = re.compile(r"(\d+)\.(\d+)")


@dataclass(frozen=True)
class Rule:
    """Heals one kind of fault. `look` returns the changes that it wants in a snippet; nothing if it does not apply."""

    name: str
    concerns: str
    """Its purpose in a few words with the version, for the table in docs/healing-rules.md."""
    look: Callable[[Sight], Iterable[TreeEdit]]
    guess: bool = False
    """True if it assumes that the likely meaning is the intended one. Guesses come last, and their reasons say so."""
    silent: bool = False
    """True if the fault that it heals raises nothing: a label for the table in docs/healing-rules.md."""
    before: tuple[int, int] | None = None
    """The version up to which the code that it heals was right, though it still runs and names nothing that is gone.
    Such a rule is asked only if another healed fault shows that the snippet is older."""
    repeat: bool = False
    """True if it heals differences of a second execution. It is asked alone, and only if the first one ran."""

    @property
    def since(self) -> tuple[int, int] | None:
        """The version that made the rule necessary, the first of those that `concerns` begins with."""
        version = _SINCE.match(self.concerns)
        return (int(version[1]), int(version[2])) if version else None


def rule(concerns: str, **how: Any) -> Callable[[Callable[[Sight], Iterable[TreeEdit]]], Rule]:
    """Makes a rule of the function that looks for its changes; the rule has the name of the function."""
    return lambda look: Rule(look.__name__.replace("_", "-"), concerns, look, **how)

"""The definition of a rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.healing.edits import Change
from app.healing.sight import Sight


@dataclass(frozen=True)
class Rule:
    """One repair. `look` returns the changes that it wants in a snippet; none if it does not apply."""

    name: str
    concerns: str
    """Its purpose in a few words with the version, for the table in docs/healing.md."""
    look: Callable[[Sight], Iterable[Change]]
    guess: bool = False
    """Whether it assumes that the likely meaning is the intended one. Guesses come last, and their reasons say so."""
    silent: bool = False
    """Whether it repairs code that raises nothing and only looks wrong, so that it examines passing snippets too."""
    repeat: bool = False
    """Whether it repairs differences of a second execution. It is asked alone, and only if the first one ran."""

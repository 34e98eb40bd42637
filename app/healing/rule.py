"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from app.healing.edits import Change
from app.healing.sight import Sight


@dataclass(frozen=True)
class Rule:
    """One repair. `look` answers what it would change in the snippet that it sees; nothing where it does not apply."""

    name: str
    concerns: str
    """What it is for, in a few words with the version, for the table in docs/healing.md."""
    look: Callable[[Sight], Iterable[Change]]
    guess: bool = False
    """Whether it takes what is likely for what was meant. Guesses come last and their reasons say so."""
    silent: bool = False
    """Whether it mends what raises nothing and only looks wrong, so that it looks at passing snippets too."""
    repeat: bool = False
    """Whether it mends what a second execution does otherwise. It is asked alone, and only of what ran once."""

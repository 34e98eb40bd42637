"""The exit codes, and what a failed command says.

0 passed, 1 not proven, 2 wrong usage, 3 service or Blender not available
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

NOT_PROVEN, USAGE, NOT_AVAILABLE = 1, 2, 3


@dataclass(frozen=True)
class Failure:
    """An error that users can act on."""

    message: str
    exit_code: int
    hint: str = ""
    details: dict[str, Any] = field(default_factory=dict[str, Any])


def exit_code_of_problem(problem: str) -> int:
    """The exit code for a problem with a repository, by the name of its error."""
    return USAGE if problem in ("NotARepository", "SymbolUnclear") else NOT_AVAILABLE

"""The target of a snippet and the checks it must pass, as parts of a prompt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.accept import Check

ALSO_ON: Final = (
    "{}, and the same snippet must hold on Blender {} too (branch on `bpy.app.version` where they differ, and only "
    "there)"
)
CHECKS: Final = "The finished scene must pass these checks"
SYMBOLS: Final = "Symbols of this build that may help, by class, the best class first"


@dataclass(frozen=True)
class Target:
    """The target of a snippet: the versions, and in words the scene it starts from."""

    blender: str
    python: str
    start: str
    shown: str = ""
    """The render of the result, and the means that a run may use."""
    others: tuple[str, ...] = ()
    """Versions of further Blenders that the same snippet must work on."""


def section(title: str, text: str) -> str:
    """A part of a prompt under its title; nothing if there is nothing in it."""
    return f"{title}:\n{text}\n\n" if text else ""


def facts_of(target: Target) -> dict[str, str]:
    """The target as variables of a prompt."""
    blender = target.blender
    if target.others:
        blender = ALSO_ON.format(target.blender, ", ".join(target.others))
    return {"blender": blender, "python": target.python, "start": target.start}


def shown_checks(accept: Sequence[Check]) -> str:
    """The acceptance checks as a model reads them, each with its number."""
    return "\n".join(f"{number}. {json.dumps(check.said())}" for number, check in enumerate(accept, 1))

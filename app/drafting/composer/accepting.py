"""What must be there when a request is done: the acceptance checks that the composer derives from its own plan.

Only of plans that add, place and dress things: a step that renames, joins or takes away changes what the steps before it
left, and then nothing is promised.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.checks.accept import Check, ObjectCheck, Part
from app.drafting.composer.build import Build, Known

KEEPING: Final = frozenset({
    "add_thing", "modifier", "counted_modifier", "modify", "shade", "move_to", "move_by", "move_way", "rotate_by",
    "rotate_to", "scale", "resize",
})  # fmt: skip
"""The steps that leave every object and modifier there is, under its name."""


def acceptance(build: Build, steps: Iterable[str]) -> list[Check]:
    """The checks that a plan of these steps, by name, comes to; none where a step may take something away."""
    if not set(steps) <= KEEPING:
        return []
    found = [check_of(known, modifiers_of(build, known)) for known in build.known]
    return [check for check in found if check is not None]


def check_of(known: Known, modifiers: list[Part]) -> ObjectCheck | None:
    """What is promised of one object; None for one that was only spoken of."""
    if not known.made and not modifiers:
        return None
    if not known.name and not known.type:
        return None
    return ObjectCheck(name=known.name or None, type=known.type or None, modifiers=modifiers or None)


def modifiers_of(build: Build, known: Known) -> list[Part]:
    """The modifiers that the plan gave an object, in their order."""
    given: list[tuple[str, str]] = build.memory.get("_modifiers", {}).get(known.var, [])
    return [Part(type=kind, name=title) for kind, title in given]

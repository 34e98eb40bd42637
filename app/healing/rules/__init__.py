"""The rules in the order in which they are asked: certain ones, guesses, and those for a second run."""

from __future__ import annotations

from typing import Final

from app.healing.rule import Rule
from app.healing.rules import (
    animation,
    classes,
    compositor,
    context,
    enums,
    guesses,
    imports,
    materials,
    matrices,
    members,
    meshes,
    nodes,
    objects,
    operators,
    repeats,
)

FAMILIES: Final[dict[str, tuple[Rule, ...]]] = {
    "imports": imports.RULES,
    "objects": objects.RULES,
    "members": members.RULES,
    "operators": operators.RULES,
    "enums": enums.RULES,
    "nodes": nodes.RULES,
    "materials": materials.RULES,
    "meshes": meshes.RULES,
    "animation": animation.RULES,
    "compositor": compositor.RULES,
    "matrices": matrices.RULES,
    "classes": classes.RULES,
    "context": context.RULES,
    "guesses": guesses.RULES,
    "repeats": repeats.RULES,
}
"""The rules by family, one module per family."""

RULES: Final[tuple[Rule, ...]] = tuple(rule for family in FAMILIES.values() for rule in family)

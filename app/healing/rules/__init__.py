"""The rules in the order in which they are asked: certain rules, guesses, and rules for a second run."""

from __future__ import annotations

from typing import Final

from app.healing.rule import Rule
from app.healing.rules import (
    animation,
    bgl,
    bones,
    classes,
    compositor,
    context,
    default_names,
    enums,
    guesses,
    immediate,
    imports,
    items,
    materials,
    matrices,
    members,
    meshes,
    moved,
    nodes,
    numbered,
    numbers,
    objects,
    operators,
    paths,
    pencils,
    principled,
    properties,
    repeats,
)

_ASKED: Final = (
    paths, imports, immediate, bgl, objects, default_names, members, moved, items, bones, properties, pencils,
    operators, enums, nodes, numbered, principled, materials, meshes, animation, compositor, matrices, classes, numbers,
    context, guesses, repeats,
)  # fmt: skip
FAMILIES: Final[dict[str, tuple[Rule, ...]]] = {
    module.__name__.rpartition(".")[2]: tuple(rule for rule in vars(module).values() if isinstance(rule, Rule))
    for module in _ASKED
}
"""The rules by family: those of a module, in its order."""

RULES: Final[tuple[Rule, ...]] = tuple(rule for family in FAMILIES.values() for rule in family)

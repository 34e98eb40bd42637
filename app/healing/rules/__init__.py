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
    drawing,
    drawn,
    enums,
    guesses,
    immediate,
    imported,
    imports,
    items,
    leftovers,
    materials,
    matrices,
    members,
    meshes,
    moved,
    nodes,
    numbers,
    objects,
    operators,
    outputs,
    paths,
    pencils,
    principled,
    properties,
    refused,
    registration,
    repeats,
    textures,
)
from app.healing.rules import flags as settings

FAMILIES: Final[dict[str, tuple[Rule, ...]]] = {
    "paths": paths.RULES,
    "outputs": outputs.RULES,
    "imports": imports.RULES,
    "imported": imported.RULES,
    "drawing": drawing.RULES,
    "immediate": immediate.RULES,
    "bgl": bgl.RULES,
    "leftovers": leftovers.RULES,
    "objects": objects.RULES,
    "members": members.RULES,
    "settings": settings.RULES,
    "moved": moved.RULES,
    "items": items.RULES,
    "drawn": drawn.RULES,
    "bones": bones.RULES,
    "properties": properties.RULES,
    "pencils": pencils.RULES,
    "operators": operators.RULES,
    "enums": enums.RULES,
    "refused": refused.RULES,
    "nodes": nodes.RULES,
    "textures": textures.RULES,
    "principled": principled.RULES,
    "materials": materials.RULES,
    "meshes": meshes.RULES,
    "animation": animation.RULES,
    "compositor": compositor.RULES,
    "matrices": matrices.RULES,
    "classes": classes.RULES,
    "registration": registration.RULES,
    "numbers": numbers.RULES,
    "context": context.RULES,
    "guesses": guesses.RULES,
    "repeats": repeats.RULES,
}
"""The rules by family, one module per family."""

RULES: Final[tuple[Rule, ...]] = tuple(rule for family in FAMILIES.values() for rule in family)

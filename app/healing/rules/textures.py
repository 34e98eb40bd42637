"""Texture nodes: settings of before 2.81 that are inputs or belong to the image now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight

_IMAGES: Final = ("ShaderNodeTexImage", "ShaderNodeTexEnvironment")


def mapping_inputs(sight: Sight) -> Iterator[TreeEdit]:
    """`mapping.scale = (2, 2, 2)` is `mapping.inputs["Scale"].default_value` since 2.81."""
    for attribute in sight.attributes("translation", "rotation", "scale"):
        found = sight.change_of(attribute) if sight.is_a(attribute.value, "ShaderNodeMapping") else None
        if found and found[1].becomes:
            reason = f"`{attribute.attr.value}` of a Mapping node is an input since 2.81"
            yield sight.rename(attribute, found[1].becomes, reason)


def color_space(sight: Sight) -> Iterator[TreeEdit]:
    """`texture.color_space = 'NONE'` is a setting of the image since 2.80."""
    for attribute in sight.attributes("color_space"):
        assign, node = sight.assignment_to(attribute), sight.code(attribute.value)
        text = sight.text_of(assign.value) if assign else None
        known = any(sight.is_a(attribute.value, kind) for kind in _IMAGES) and sight.lacks(attribute)
        if assign is None or not known or text not in {"NONE", "COLOR"}:
            continue
        reason = "the colour space is a setting of the image since 2.80"
        given = next((other for other in sight.all(cst.Assign) if _gives_image(sight, other, node)), None)
        setting = f'{node}.image.colorspace_settings.name = "Non-Color"'
        if text == "COLOR":
            yield sight.instead(assign, reason=f"{reason}, and a new image has the one for colours")
        elif given is not None and sight.line(given) > sight.line(assign):
            yield sight.instead(assign, reason=reason)
            yield sight.after(given, setting, reason=reason)
        else:
            yield sight.instead(assign, setting, reason=reason)


def _gives_image(sight: Sight, assign: cst.Assign, node: str) -> bool:
    return any(sight.code(target.target) == f"{node}.image" for target in assign.targets)


RULES: Final = (
    Rule("mapping-inputs", "2.81: `mapping.scale`, `mapping.rotation`, `mapping.translation`", mapping_inputs),
    Rule("texture-color-space", "2.80: `texture_node.color_space`", color_space),
)

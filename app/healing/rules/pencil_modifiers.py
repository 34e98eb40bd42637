"""Settings of the modifiers of grease pencil, which are several settings since 4.3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight

_NUMBERS: Final = {
    "layer_pass": ("layer_pass_filter", "use_layer_pass_filter"),
    "pass_index": ("material_pass_filter", "use_material_pass_filter"),
}
"""Numbers of passes, where 0 meant none."""


def modifier_filters(sight: Sight) -> Iterator[TreeEdit]:
    """`noise.pass_index = 2` of a grease pencil modifier: a number counts only with its flag since 4.3."""
    for attribute in sight.attributes(*_NUMBERS):
        found, assign = sight.change_of(attribute), sight.assignment_to(attribute)
        if found is None or found[1].rule != "modifier-filters" or assign is None:
            continue
        new, flag = _NUMBERS[attribute.attr.value]
        owner, number = sight.code(attribute.value), sight.operand(assign.value)
        given = assign.value.evaluated_value if isinstance(assign.value, cst.Integer) else None
        is_on = f"{number} != 0" if given is None else str(given != 0)
        reason = f"`{attribute.attr.value}` of a grease pencil modifier is `{new}` since 4.3"
        yield sight.instead(assign, f"{owner}.{new} = {number}", f"{owner}.{flag} = {is_on}", reason=reason)


RULES: Final = (Rule("modifier-filters", "4.3: `noise.pass_index` of grease pencil modifiers", modifier_filters),)

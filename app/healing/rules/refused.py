"""Renames that are not made, because the member with the new name is another setting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.materials import does_something
from app.healing.rules.members import RENAMED, another_setting
from app.healing.sight import Sight


def refused_renames(sight: Sight) -> Iterator[TreeEdit]:
    """`bevel.edge_weight_method = 'LARGEST'` is no `limit_method`, which knows no such item."""
    for (type_name, old), new in RENAMED.items():
        for attribute in sight.lacking(type_name, old):
            assign = sight.assignment_to(attribute)
            why = another_setting(sight, attribute, type_name, new)
            if why and assign and sight.is_a(attribute.value, type_name) and not does_something(assign):
                reason = f"`{type_name}.{old}` is gone, and `{new}` {why}: it is no longer set"
                yield sight.instead(assign, reason=reason)


RULES: Final = (
    Rule(
        "refused-renames",
        "settings that are gone, where the one that is named like them is another: `edge_weight_method`",
        refused_renames,
    ),
)

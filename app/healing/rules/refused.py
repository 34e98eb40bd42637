"""Renames that are not made, because the member with the new name is another setting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.materials import does_something
from app.healing.rules.members import another_setting
from app.healing.sight import Sight


def refused_renames(sight: Sight) -> Iterator[TreeEdit]:
    """`ob.show_x_ray = False` beside `ob.show_in_front = True`: the script means both Blenders."""
    for attribute in sight.all(cst.Attribute):
        found, assign = sight.change_of(attribute), sight.assignment_to(attribute)
        why = another_setting(sight, attribute, *found) if found else ""
        if found and why and assign and sight.is_a(attribute.value, found[0]) and not does_something(assign):
            reason = f"`{found[0]}.{attribute.attr.value}` is gone, and `{found[1].becomes}` {why}: it is no longer set"
            yield sight.instead(assign, reason=reason)


RULES: Final = (
    Rule(
        "refused-renames",
        "settings that are gone, where the one with the new name is another one",
        refused_renames,
    ),
)

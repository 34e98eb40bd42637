"""Settings of the layers and modifiers of grease pencil, which have other names since 4.3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight
from app.reading.api.values import Rna, options

_FILTERS: Final[dict[str, tuple[str, ...]]] = {
    "layer": ("layer_filter", "tree_node_filter"),
    "layer_pass": ("layer_pass_filter",),
    "invert_layers": ("invert_layer_filter",),
    "invert_layer_pass": ("invert_layer_pass_filter",),
    "material": ("material_filter",),
    "pass_index": ("material_pass_filter",),
    "invert_materials": ("invert_material_filter",),
    "invert_material_pass": ("invert_material_pass_filter",),
    "vertex_group": ("vertex_group_name",),
    "invert_vertex": ("invert_vertex_group",),
    "curve": ("custom_curve",),
    "modify_color": ("color_mode",),
    "vertex_mode": ("color_mode",),
    "tint_type": ("tint_mode",),
    "use_weight_factor": ("use_weight_as_factor",),
    "use_normalized_opacity": ("use_uniform_opacity",),
    "use_normalized_thickness": ("use_uniform_thickness",),
    "hardness": ("hardness_factor",),
    "factor": ("color_factor",),
    "mode": ("offset_mode",),
    "random_offset": ("stroke_location",),
    "random_rotation": ("stroke_rotation",),
    "random_scale": ("stroke_scale",),
}
"""The settings of a modifier, with the names that one of its kind may have today."""
_NUMBERS: Final = {"layer_pass": "use_layer_pass_filter", "pass_index": "use_material_pass_filter"}
"""Numbers of passes that count only with another setting; 0 meant none."""


def modifier_filters(sight: Sight) -> Iterator[TreeEdit]:
    """`noise.layer = "Lines"`, `noise.pass_index = 2`."""
    for attribute in sight.attributes(*_FILTERS):
        old, kinds = attribute.attr.value, list(options(sight.value(attribute.value)))
        kind = kinds[0].type if len(kinds) == 1 and isinstance(kinds[0], Rna) else _by_exception(sight, attribute)
        if not (kind.startswith("GreasePencil") and "Modifier" in kind) or sight.has(kind, old):
            continue
        new = next((name for name in _FILTERS[old] if sight.has(kind, name)), "")
        assign, flag, owner = sight.assignment_to(attribute), _NUMBERS.get(old), sight.code(attribute.value)
        reason = f"`{old}` of a grease pencil modifier is `{new}` since 4.3"
        if new and flag and assign:
            number = sight.operand(assign.value)
            is_on = (
                str(assign.value.evaluated_value != 0) if isinstance(assign.value, cst.Integer) else f"{number} != 0"
            )
            yield sight.instead(assign, f"{owner}.{new} = {number}", f"{owner}.{flag} = {is_on}", reason=reason)
        elif new:
            yield sight.rename(attribute, new, reason)


def _by_exception(sight: Sight, attribute: cst.Attribute) -> str:
    missing = sight.trouble.missing_member if sight.trouble else None
    return missing[0] if missing and missing[1] == attribute.attr.value and sight.fails_at(attribute) else ""


_OF_LAYER: Final = {
    "location": "translation",
    "use_mask_layer": "use_masks",
    "matrix_layer": "matrix_local",
    "line_change": "radius_offset",
    "active_frame": "current_frame()",
}


def layer_settings(sight: Sight) -> Iterator[TreeEdit]:
    """`layer.line_change = 10` was in thousandths, of which a radius is half."""
    for attribute in sight.lacking("GreasePencilLayer", *_OF_LAYER):
        old, assign = attribute.attr.value, sight.assignment_to(attribute)
        new, reason = _OF_LAYER[old], f"`{old}` of a layer is `{_OF_LAYER[old]}` since 4.3"
        if not sight.is_a(attribute.value, "GreasePencilLayer") or not sight.has("GreasePencilLayer", new.rstrip("()")):
            continue
        if old == "line_change" and assign:
            source = f"{sight.code(attribute.value)}.{new} = {sight.operand(assign.value)} / 2000"
            yield sight.instead(assign, source, reason=reason)
        elif old != "line_change" and (assign is None or not new.endswith(")")):
            yield sight.rename(attribute, new, reason)


RULES: Final = (
    Rule("modifier-filters", "4.3: `noise.layer`, `noise.pass_index` of grease pencil modifiers", modifier_filters),
    Rule("layer-settings", "4.3: `layer.line_change`, `layer.location` of grease pencil layers", layer_settings),
)

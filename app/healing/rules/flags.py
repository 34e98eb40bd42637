"""Settings whose value changes with their name: flags that became items, sets, or the opposite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight
from ingest.manifest import RnaFunction

_GUIDES: Final = {
    "CENTER": "center",
    "CENTER_DIAGONAL": "center_diagonal",
    "THIRDS": "thirds",
    "GOLDEN": "golden",
    "GOLDEN_TRIANGLE_A": "golden_tria_a",
    "GOLDEN_TRIANGLE_B": "golden_tria_b",
    "HARMONY_TRIANGLE_A": "harmony_tri_a",
    "HARMONY_TRIANGLE_B": "harmony_tri_b",
}


def _guides(sight: Sight, value: cst.BaseExpression) -> tuple[str, ...] | None:
    """A set of guides is a flag per guide."""
    items = [sight.text_of(element.value) for element in value.elements] if isinstance(value, cst.Set) else [None]
    known = [_GUIDES.get(item or "") for item in items]
    return tuple(f"show_composition_{guide} = True" for guide in known) if all(known) else None


def changed_settings(sight: Sight) -> Iterator[TreeEdit]:
    """Settings that are several settings now: `show_guide = {'THIRDS'}`, `proportional_edit = 'CONNECTED'`."""
    for attribute in sight.lacking("Camera", "show_guide"):
        assign, owner = sight.assignment_to(attribute), sight.code(attribute.value)
        flags = _guides(sight, assign.value) if assign and sight.has("Camera", "show_composition_thirds") else None
        if assign and flags is not None:
            yield sight.instead(
                assign, *(f"{owner}.{flag}" for flag in flags), reason="each guide is a flag since 2.80"
            )
    for attribute in sight.lacking("ToolSettings", "proportional_edit"):
        assign, owner = sight.assignment_to(attribute), sight.code(attribute.value)
        if assign and sight.text_of(assign.value) == "CONNECTED":
            flags = "use_proportional_edit = True", "use_proportional_connected = True"
            reason = "proportional editing is a flag since 2.80, and so is what it keeps to"
            yield sight.instead(assign, *(f"{owner}.{flag}" for flag in flags), reason=reason)


def render_emitter(sight: Sight) -> Iterator[TreeEdit]:
    """`particle_settings.use_render_emitter` is a setting of the object since 2.80, and on by default."""
    for attribute in sight.lacking("ParticleSettings", "use_render_emitter"):
        assign, owner = sight.assignment_to(attribute), sight.code(attribute.value)
        if assign is None or not sight.has("Object", "show_instancer_for_render"):
            continue
        source = (
            f"for emitter in bpy.data.objects:\n"
            f"    if any(system.settings == {owner} for system in emitter.particle_systems):\n"
            f"        emitter.show_instancer_for_render = {sight.code(assign.value)}"
        )
        reason = "whether an emitter is rendered is a setting of its object since 2.80"
        yield sight.instead(assign, *([] if sight.code(assign.value) == "True" else [source]), reason=reason)


_HAIR: Final = {
    "root_width": "root_radius",
    "tip_width": "tip_radius",
    "radius_scale": "radius_scale",
    "use_closetip": "use_close_tip",
    "shape": "shape",
}


def hair_settings(sight: Sight) -> Iterator[TreeEdit]:
    """`particle_settings.cycles.root_width` is a setting of the particles themselves since 2.80."""
    for attribute in sight.attributes(*_HAIR):
        owner, new = attribute.value, _HAIR[attribute.attr.value]
        if not isinstance(owner, cst.Attribute) or owner.attr.value != "cycles" or not sight.lacks(owner):
            continue
        if sight.is_a(owner.value, "ParticleSettings") and sight.has("ParticleSettings", new):
            reason = f"the shape of hair is set by its particle settings since 2.80: `{new}`"
            yield sight.replace(attribute, f"{sight.code(owner.value)}.{new}", reason)


def gone_arguments(sight: Sight) -> Iterator[TreeEdit]:
    """`image.pack(as_png=True)`, `wm.invoke_popup(self, height=100)`: the rows of the book for arguments of methods."""
    for argument in sight.all(cst.Arg):
        name, call = argument.keyword.value if argument.keyword else "", sight.parent(argument)
        rows = sight.book.named("argument", name)
        if not rows or not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
            continue
        for owner, row in rows.items():
            type_name, _, function = owner.removeprefix("bpy.types.").rpartition(".")
            same = call.func.attr.value == function and sight.is_a(call.func.value, type_name)
            if not same or sight.is_guarded(call) or name in _arguments_of(sight, type_name, function):
                continue
            if row.drop or row.becomes:
                new = f"{row.becomes}={sight.code(argument.value)}" if row.becomes else ""
                yield sight.argument(argument, new, f"`{function}` takes no `{name}` since {row.since}")


def _arguments_of(sight: Sight, type_name: str, function: str) -> list[str]:
    found = sight.manifest.find(type_name, function)
    return [argument.name for argument in found[1].arguments] if found and isinstance(found[1], RnaFunction) else []


def bevel_object(sight: Sight) -> Iterator[TreeEdit]:
    """`curve.bevel_object = profile` counts only in the bevel mode `OBJECT` since 2.91."""
    if not sight.has("Curve", "bevel_mode") or "bevel_mode" in sight.survey.attributes | sight.survey.mentioned:
        return
    for attribute in sight.attributes("bevel_object"):
        assign = sight.assignment_to(attribute)
        if assign and sight.may_be(attribute.value, "Curve") and sight.code(assign.value) != "None":
            setting = f"{sight.code(attribute.value)}.bevel_mode = 'OBJECT'"
            yield sight.after(
                assign, setting, reason="a bevel object counts only in the bevel mode `OBJECT` since 2.91"
            )


RULES: Final = (
    Rule("changed-settings", "2.80: `camera.show_guide`, `proportional_edit = 'CONNECTED'`", changed_settings),
    Rule("render-emitter", "2.80: `particle_settings.use_render_emitter`", render_emitter),
    Rule("hair-settings", "2.80: `particle_settings.cycles.root_width`", hair_settings),
    Rule(
        "gone-arguments",
        "`image.pack(as_png=True)`, `invoke_popup(self, height=9)`: arguments of methods",
        gone_arguments,
    ),
    Rule("bevel-object", "2.91: `curve.bevel_object` without `bevel_mode`", bevel_object, silent=True),
)

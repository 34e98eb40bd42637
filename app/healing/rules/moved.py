"""Settings that became items of an enumeration, moved to another group, or are gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.rules.guesses import clearly_nearest
from app.healing.sight import Sight, key_of, keyword
from app.reading.api.values import Rna, options
from ingest.manifest import Property, RnaFunction


def _guides(sight: Sight, value: cst.BaseExpression) -> tuple[str, ...] | None:
    """A set of guides is a flag per guide."""
    items = [sight.text_of(element.value) for element in value.elements] if isinstance(value, cst.Set) else [None]
    row = sight.book.rows.get("bpy.types.Camera.show_guide")
    flags = [row.values.get(item or "") if row else None for item in items]
    return tuple(f"{flag} = True" for flag in flags) if all(flags) else None


@rule("2.80: settings that are several settings now: `show_guide = {'THIRDS'}`, `proportional_edit = 'CONNECTED'`")
def changed_settings(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.lacking("Camera", "show_guide"):
        assign, owner = sight.assignment_to(attribute), sight.code(attribute.value)
        flags = _guides(sight, assign.value) if assign and sight.has("Camera", "show_composition_thirds") else None
        if assign and flags is not None:
            yield sight.instead(
                assign, *(f"{owner}.{flag}" for flag in flags), reason="each guide is a flag since 2.80"
            )
    for attribute, assign in sight.assigned(sight.lacking("ToolSettings", "proportional_edit")):
        owner = sight.code(attribute.value)
        if sight.text_of(assign.value) == "CONNECTED":
            flags = "use_proportional_edit = True", "use_proportional_connected = True"
            reason = "proportional editing is a flag since 2.80, and so is what it keeps to"
            yield sight.instead(assign, *(f"{owner}.{flag}" for flag in flags), reason=reason)


@rule("2.80: `particle_settings.use_render_emitter` is a setting of the object, and on by default")
def render_emitter(sight: Sight) -> Iterator[TreeEdit]:
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


_OF_CYCLES: Final = {"ParticleSettings": "CyclesCurveSettings", "Camera": "CyclesCameraSettings"}
"""The groups of settings of Cycles that are gone, by the type that had one and has its settings now."""


@rule("settings of Cycles that their owner has itself: `particles.cycles.root_width`, `camera.cycles.fisheye_fov`")
def settings_of_cycles(sight: Sight) -> Iterator[TreeEdit]:
    for group in sight.attributes("cycles"):
        attribute = sight.parent(group)
        if not isinstance(attribute, cst.Attribute) or sight.is_guarded(attribute):
            continue
        name, owner, assign = attribute.attr.value, sight.code(group.value), sight.assignment_to(attribute)
        rows = sight.book.named("member", name)
        row = next((rows.get(old) for kind, old in _OF_CYCLES.items() if _had_group(sight, group, kind)), None)
        if row is None:
            continue
        reason = f"a setting of the owner itself since {row.since}: `{row.becomes}`"
        if row.template and assign:
            value = (row.value_of(sight.code(assign.value), None) or "").replace("{owner}", owner)
            yield sight.instead(assign, f"{owner}.{row.becomes} = {value}", reason=reason)
        elif row.becomes and not row.template:
            yield sight.replace(attribute, f"{owner}.{row.becomes}", reason)
        elif row.drop and assign:
            yield sight.instead(assign, reason=f"`{name}` is gone since {row.since}")


_ADAPTIVE: Final = {"use_adaptive_subdivision": "use_adaptive_subdivision", "dicing_rate": "adaptive_pixel_size"}


@rule("5.0: `object.cycles.use_adaptive_subdivision` is a setting of the Subdivision modifier")
def adaptive_subdivision(sight: Sight) -> Iterator[TreeEdit]:
    for attribute, assign in sight.assigned(sight.lacking("CyclesObjectSettings", *_ADAPTIVE)):
        group, new = attribute.value, _ADAPTIVE[attribute.attr.value]
        if not isinstance(group, cst.Attribute) or not sight.has("SubsurfModifier", new):
            continue
        source = (
            f"for modifier in {sight.code(group.value)}.modifiers:\n    if modifier.type == 'SUBSURF':\n"
            f"        modifier.{new} = {sight.code(assign.value)}"
        )
        reason = f"`{attribute.attr.value}` is a setting of the Subdivision modifier since 5.0"
        yield sight.instead(assign, source, reason=reason)


def _had_group(sight: Sight, group: cst.Attribute, kind: str) -> bool:
    """True if it is asked of this type, or may be and the execution showed that the type has no such group."""
    missing = sight.trouble.missing_member if sight.trouble else None
    shown = missing == (kind, "cycles") and sight.may_be(group.value, kind)
    return not sight.has(kind, "cycles") and (shown or sight.is_a(group.value, kind))


@rule("arguments of methods and functions that are gone or renamed: `image.pack(as_png=True)`, `diameter1=1`")
def gone_arguments(sight: Sight) -> Iterator[TreeEdit]:
    for argument in sight.all(cst.Arg):
        name, call = argument.keyword.value if argument.keyword else "", sight.parent(argument)
        rows = sight.book.named("argument", name)
        for owner, row in rows.items() if isinstance(call, cst.Call) and not sight.is_guarded(call) else ():
            if not isinstance(call, cst.Call) or keyword(call, row.becomes) or not _takes_no(sight, call, owner, name):
                continue
            value = row.value_of(sight.code(argument.value), sight.text_of(argument.value)) if row.becomes else ""
            if row.drop or value:
                source = f"{row.becomes}={value}" if value else ""
                yield sight.argument(argument, source, f"`{owner}` takes no `{name}` since {row.since}")


def _takes_no(sight: Sight, call: cst.Call, owner: str, name: str) -> bool:
    """True if the call is of this method of a type or function of a module, and that has no such argument."""
    type_name, _, function = owner.removeprefix("bpy.types.").rpartition(".")
    if not owner.startswith("bpy.types."):
        return sight.code(call.func) == owner and not owner.startswith("bpy.ops.")
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != function:
        return False
    said = sight.trouble.message if sight.trouble and sight.fails_at(call) else ""
    known = sight.is_a(call.func.value, type_name) or sight.collection(call.func.value) == type_name
    return (known or f"{type_name}.{function}()" in said) and name not in _arguments_of(sight, type_name, function)


def _arguments_of(sight: Sight, type_name: str, function: str) -> list[str]:
    found = sight.manifest.find(type_name, function)
    return [argument.name for argument in found[1].arguments] if found and isinstance(found[1], RnaFunction) else []


@rule("2.91: `curve.bevel_object = profile` counts only in the bevel mode `OBJECT`", silent=True)
def bevel_object(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("Curve", "bevel_mode") or "bevel_mode" in sight.survey.attributes | sight.survey.mentioned:
        return
    for attribute, assign in sight.assigned(sight.attributes("bevel_object")):
        if sight.may_be(attribute.value, "Curve") and sight.code(assign.value) != "None":
            setting = f"{sight.code(attribute.value)}.bevel_mode = 'OBJECT'"
            yield sight.after(
                assign, setting, reason="a bevel object counts only in the bevel mode `OBJECT` since 2.91"
            )


@rule("2.80: `preferences.system.use_scripts_auto_execute`: one other group of the same owner has the member now")
def moved_members(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.all(cst.Attribute):
        group, name = attribute.value, attribute.attr.value
        if not isinstance(group, cst.Attribute) or sight.is_guarded(group) or not sight.lacks(attribute):
            continue
        owner = _type_of(sight, group.value)
        if not owner.startswith(("Preferences", "Space")):
            continue
        found = [other for other in _groups(sight, owner) if sight.has(other.of, name)]
        if len(found) == 1 and found[0].name != group.attr.value:
            reason = f"`{name}` is in `{found[0].name}` in Blender {sight.manifest.series}"
            yield sight.replace(attribute, f"{sight.code(group.value)}.{found[0].name}.{name}", reason)


def _type_of(sight: Sight, node: cst.BaseExpression) -> str:
    types = {value.type if isinstance(value, Rna) else "" for value in options(sight.value(node))}
    return types.pop() if len(types) == 1 else ""


def _groups(sight: Sight, owner: str) -> Iterator[Property]:
    """The properties of a type that only group settings: pointers that cannot be set."""
    for kind in sight.manifest.lineage(owner):
        yield from (prop for prop in kind.properties.values() if prop.type == "POINTER" and prop.readonly)


@rule("`curve.show_normal_face = False`: a flag of that name only changes what an editor draws")
def shown_flags(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.all(cst.Attribute):
        name, assign = attribute.attr.value, sight.assignment_to(attribute)
        if not name.startswith("show_") or assign is None or sight.is_guarded(attribute.value):
            continue
        owner = _type_of(sight, attribute.value)
        if sight.code(assign.value) not in {"True", "False"} or owner not in sight.manifest.types:
            continue
        if sight.lacks(attribute) and not clearly_nearest(name, sight.api.names_on(Rna(owner))):
            yield sight.instead(assign, reason=f"`{owner}.{name}`, which an editor drew, is gone: it is no longer set")


_TOLD: Final = ("is_updated", "is_updated_data")


@rule("2.80: `ob.is_updated` in a handler: the dependency graph lists the updates")
def updated_objects(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.lacking("Object", *_TOLD):
        if sight.is_read(attribute):
            test = " and update.is_updated_geometry" if attribute.attr.value == "is_updated_data" else ""
            updates = "bpy.context.evaluated_depsgraph_get().updates"
            source = f"any(update.id.original == {sight.operand(attribute.value)}{test} for update in {updates})"
            yield sight.replace(attribute, source, "the dependency graph tells since 2.80 what was updated")


@rule('3.0: `ob["_RNA_UI"] = {...}`', silent=True)
def property_limits(sight: Sight) -> Iterator[TreeEdit]:
    """`ob["_RNA_UI"] = {"x": {"min": 0.0}}`: the limits and descriptions of a property have a method since 3.0."""
    if not sight.has("ID", "id_properties_ui"):
        return
    reason = "limits and descriptions of a property are set by `id_properties_ui` since 3.0"
    for subscript in sight.all(cst.Subscript):
        assign = sight.assignment_to(subscript)
        if assign is None or not isinstance(assign.value, cst.Dict) or sight.is_guarded(subscript.value):
            continue
        described = _limits_of(sight, subscript, assign.value)
        if described is None:
            continue
        owner, limits = described
        lines = [f'{owner}.id_properties_ui("{key}").update(**{sight.code(values)})' for key, values in limits.items()]
        if all(_takes_all(sight, values) for values in limits.values()) and all(
            _is_set_before(sight, owner, key, assign) for key in limits
        ):
            yield sight.instead(assign, *lines, reason=reason)


def _limits_of(sight: Sight, target: cst.Subscript, value: cst.Dict) -> tuple[str, dict[str, cst.Dict]] | None:
    """The owner of the properties that `target = value` describes, and the limits of each."""
    name, inner = _key(sight, target), target.value
    if name == "_RNA_UI":
        limits = _limits_by_name(sight, value)
        return (sight.code(inner), limits) if limits is not None else None
    if isinstance(inner, cst.Subscript) and _key(sight, inner) == "_RNA_UI" and name is not None:
        return sight.code(inner.value), {name: value}
    return None


def _key(sight: Sight, node: cst.Subscript) -> str | None:
    key = key_of(node)
    return sight.text_of(key) if key else None


def _limits_by_name(sight: Sight, whole: cst.Dict) -> dict[str, cst.Dict] | None:
    """The dictionary per property of a dictionary that is written out; None for any other."""
    limits: dict[str, cst.Dict] = {}
    for element in whole.elements:
        name = sight.text_of(element.key) if isinstance(element, cst.DictElement) else None
        if name is None or not isinstance(element.value, cst.Dict):
            return None
        limits[name] = element.value
    return limits


_LIMITS: Final = frozenset({"min", "max", "soft_min", "soft_max", "step", "default", "description", "subtype"})


def _takes_all(sight: Sight, values: cst.Dict) -> bool:
    keys = [element.key if isinstance(element, cst.DictElement) else None for element in values.elements]
    return all(key is not None and sight.text_of(key) in _LIMITS for key in keys)


def _is_set_before(sight: Sight, owner: str, name: str, assign: cst.Assign) -> bool:
    """True if the property is set above: the method needs one that exists."""
    above = "\n".join(sight.text.splitlines()[: sight.line(assign) - 1])
    return re.search(rf"""{re.escape(owner)}\[["']{re.escape(name)}["']\]\s*=""", above) is not None

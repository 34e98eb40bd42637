"""Settings that moved to a group beside or below theirs, and groups and flags that are gone as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.rules.guesses import clearly_nearest
from app.healing.rules.materials import does_something
from app.healing.sight import Sight
from app.reading.api.values import Rna, options
from ingest.manifest import Property


def moved_members(sight: Sight) -> Iterator[TreeEdit]:
    """`preferences.system.use_scripts_auto_execute`: one other group of the same owner has the member now."""
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


def gone_groups(sight: Sight) -> Iterator[TreeEdit]:
    """`material.raytrace_mirror.depth = 4`: settings of engines that are gone; none has a counterpart."""
    for attribute in sight.all(cst.Attribute):
        found = sight.change_of(attribute)
        setting = sight.parent(attribute)
        if found is None or found[1].rule != "gone-groups" or not isinstance(setting, cst.Attribute):
            continue
        assign = sight.assignment_to(setting)
        if assign and not does_something(assign):
            reason = f"`{found[0]}.{attribute.attr.value}` is gone without a counterpart: it is no longer set"
            yield sight.instead(assign, reason=reason)


def shown_flags(sight: Sight) -> Iterator[TreeEdit]:
    """`curve.show_normal_face = False`: a flag of that name only changes what an editor draws."""
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


def updated_objects(sight: Sight) -> Iterator[TreeEdit]:
    """`ob.is_updated` in a handler: the dependency graph lists the updates since 2.80."""
    for attribute in sight.lacking("Object", *_TOLD):
        if sight.is_read(attribute):
            test = " and update.is_updated_geometry" if attribute.attr.value == "is_updated_data" else ""
            updates = "bpy.context.evaluated_depsgraph_get().updates"
            source = f"any(update.id.original == {sight.operand(attribute.value)}{test} for update in {updates})"
            yield sight.replace(attribute, source, "the dependency graph tells since 2.80 what was updated")


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
    part = node.slice[0].slice if len(node.slice) == 1 else None
    return sight.text_of(part.value) if isinstance(part, cst.Index) else None


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


RULES: Final = (
    Rule("moved-members", "2.80: `preferences.system.use_scripts_auto_execute`: in another group now", moved_members),
    Rule("gone-groups", "2.80: `material.raytrace_mirror.use`, `object.game`: engines that are gone", gone_groups),
    Rule("shown-flags", "`show_...` flags of editors that are gone: `curve.show_normal_face`", shown_flags),
    Rule("updated-objects", "2.80: `object.is_updated`", updated_objects),
    Rule("property-limits", '3.0: `ob["_RNA_UI"] = {...}`', property_limits, silent=True),
)

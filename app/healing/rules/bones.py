"""Bones: selection per object, sizes of custom shapes, groups and layers that became collections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, key_of

_OF_OBJECT: Final = re.compile(r"(.+)\.data\.bones\b[^.]*")


@rule("5.0: `bone.select` and `bone.hide` are those of the pose bone")
def bone_select(sight: Sight) -> Iterator[TreeEdit]:
    """Since 5.0 the pose bone of an object is selected, and hidden, because several objects may share the armature."""
    if not sight.has("PoseBone", "select"):
        return
    lines: set[tuple[cst.CSTNode, str, str, str] | None] = set()
    for attribute in sight.attributes("select", "select_head", "select_tail", "hide"):
        name, bone = attribute.attr.value, attribute.value
        if not _is_bone(sight, bone, name):
            continue
        pose_bone, assign = _pose_bone(sight, bone), sight.assignment_to(attribute)
        if not pose_bone:
            continue
        reason, new = f"whether a bone is `{name}` is asked of the pose bone since 5.0", name.partition("_")[0]
        line = (sight.parent(sight.parent(assign)), new, sight.code(bone), sight.code(assign.value)) if assign else None
        if assign and line in lines:
            yield sight.instead(assign, reason="a pose bone has no ends of its own to select")
            continue
        lines.add(line)
        yield sight.replace(attribute, f"{pose_bone}.{new}", reason)


def _is_bone(sight: Sight, node: cst.BaseExpression, name: str) -> bool:
    """True if it is a bone of an armature whose pose bone is meant; `bone.hide` still exists, for edit mode."""
    of_pose_bone = isinstance(node, cst.Attribute) and node.attr.value == "bone"
    return sight.is_a(node, "Bone") and (of_pose_bone or not sight.has("Bone", name))


def _pose_bone(sight: Sight, bone: cst.BaseExpression) -> str:
    """The source of the pose bone of a bone."""
    source = sight.code(bone)
    if isinstance(bone, cst.Attribute) and bone.attr.value == "bone":
        return sight.code(bone.value)
    if isinstance(bone, cst.Attribute) and bone.attr.value == "active":
        whole = _OF_OBJECT.fullmatch(sight.code(bone.value))
        if whole:
            return f"{whole[1]}.pose.bones[{source}.name]"
    if isinstance(bone, cst.Subscript) and isinstance(bone.value, cst.Attribute):
        whole = _OF_OBJECT.fullmatch(sight.code(bone.value))
        index = source[len(sight.code(bone.value)) :]
        if whole:
            return f"{whole[1]}.pose.bones{index}"
    if isinstance(bone, cst.Name):
        owner = _loops_over(sight, bone)
        if owner:
            return f"{owner}.pose.bones[{source}.name]"
    if "(" in source and not source.endswith(")"):
        return ""
    owner = f"next(ob for ob in bpy.data.objects if ob.data == {source}.id_data)"
    return f"{owner}.pose.bones[{source}.name]"


def _loops_over(sight: Sight, name: cst.Name) -> str:
    """The object whose bones the loop or comprehension around a name goes through: `for name in ob.data.bones`."""
    for outer in sight.around(name):
        parts: list[cst.For | cst.CompFor] = [outer] if isinstance(outer, cst.For) else []
        if isinstance(outer, cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp):
            parts = [outer.for_in]
        for part in parts:
            found = _OF_OBJECT.fullmatch(sight.code(part.iter))
            if found and sight.code(part.target) == name.value:
                return found[1]
    return ""


@rule("3.0: `pose_bone.custom_shape_scale` is a number per axis")
def shape_scale(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("PoseBone", "custom_shape_scale_xyz"):
        return
    for attribute in sight.lacking("PoseBone", "custom_shape_scale"):
        target = f"{sight.code(attribute.value)}.custom_shape_scale_xyz"
        reason = "`custom_shape_scale` is `custom_shape_scale_xyz` since 3.0: a number per axis"
        assign, changed = sight.assignment_to(attribute), sight.parent(attribute)
        if assign:
            value = sight.code(assign.value)
            plain = isinstance(assign.value, cst.Name | cst.Float | cst.Integer | cst.Attribute)
            source = f"({value}, {value}, {value})" if plain else f"({value},) * 3"
            yield sight.instead(assign, f"{target} = {source}", reason=reason)
        elif isinstance(changed, cst.AugAssign) and changed.target is attribute:
            sign = sight.code(changed.operator).removesuffix("=")
            source = f"[part {sign} {sight.operand(changed.value)} for part in {target}]"
            yield sight.instead(changed, f"{target} = {source}", reason=reason)
        elif sight.is_read(attribute):
            yield sight.replace(attribute, f"{target}[0]", reason)


@rule("4.0: `pose.bone_groups.new`, `pose_bone.bone_group = group`, `color_set`")
def bone_groups(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("Armature", "collections"):
        return
    reason = "groups of bones are collections of the armature since 4.0"
    groups, colours = _group_variables(sight), _colours(sight)
    for attribute in sight.attributes("bone_groups"):
        pose = attribute.value
        if isinstance(pose, cst.Attribute) and pose.attr.value == "pose":
            yield sight.replace(attribute, f"{sight.code(pose.value)}.data.collections", reason)
    for assign in sight.all(cst.Assign):
        target = assign.targets[0].target
        if not isinstance(target, cst.Attribute) or len(assign.targets) != 1 or sight.is_guarded(target.value):
            continue
        owner = target.value
        if target.attr.value == "bone_group" and _is_pose_bone(sight, owner):
            group = sight.code(assign.value)
            whole = isinstance(assign.value, cst.Name | cst.Subscript | cst.Attribute | cst.Call) and group != "None"
            if whole and "bone_groups" not in group:
                bone = sight.code(owner)
                coloured = [f"{bone}.color.palette = {colours[group]}"] if group in colours else []
                yield sight.instead(assign, f"{group}.assign({bone})", *coloured, reason=reason)
        elif target.attr.value == "color_set" and _is_collection(sight, owner, groups):
            yield sight.instead(assign, reason="each bone has a colour of its own since 4.0, and groups have none")


def _group_variables(sight: Sight) -> set[str]:
    """The names of variables that hold groups made by the snippet."""
    made = [assign for assign in sight.all(cst.Assign) if isinstance(assign.value, cst.Call)]
    ends = (".bone_groups.new", ".data.collections.new")
    return {
        sight.code(target.target)
        for assign in made
        if isinstance(assign.value, cst.Call) and sight.code(assign.value.func).endswith(ends)
        for target in assign.targets
    }


def _colours(sight: Sight) -> dict[str, str]:
    """The constant colour set of each group, by the source of the group."""
    found: dict[str, str] = {}
    for attribute, assign in sight.assigned(sight.attributes("color_set")):
        if isinstance(assign.value, cst.SimpleString):
            found[sight.code(attribute.value)] = sight.code(assign.value)
    return found


def _is_pose_bone(sight: Sight, node: cst.BaseExpression) -> bool:
    missing = sight.trouble.missing_member if sight.trouble else None
    return sight.is_a(node, "PoseBone") or (missing == ("PoseBone", "bone_group") and sight.fails_at(node))


def _is_collection(sight: Sight, node: cst.BaseExpression, groups: set[str]) -> bool:
    missing = sight.trouble.missing_member if sight.trouble else None
    failed = missing == ("BoneCollection", "color_set") and sight.fails_at(node)
    return failed or sight.code(node) in groups or sight.is_a(node, "BoneCollection")


def _asks_for_first(sight: Sight, layers: cst.Attribute) -> bool:
    outer = sight.parent(layers)
    return isinstance(outer, cst.Subscript) and sight.is_read(outer) and sight.code(outer).endswith("[0]")


_ONE_OF: Final = re.compile(r"\[\s*(\w+) == (\d+) for \1 in range\(32\)\s*\]")


@rule('4.0: `bone.layers[3] = True` is the collection "Layer 4", as Blender names it when it opens an old file')
def bone_layers(sight: Sight) -> Iterator[TreeEdit]:
    if not sight.has("Armature", "collections"):
        return
    reason = "the layers of bones are collections of the armature since 4.0, named as Blender names those of old files"
    # All bones were in the first layer, unless told otherwise, so it is a collection only if a script asks for it.
    asked_for_first = any(_asks_for_first(sight, attribute) for attribute in sight.attributes("layers"))
    for attribute in sight.attributes("layers"):
        outer = sight.parent(attribute)
        owner, missing = attribute.value, sight.trouble.missing_member if sight.trouble else None
        failed = missing in {("Bone", "layers"), ("EditBone", "layers")} and sight.fails_at(attribute)
        known = any(sight.is_a(owner, kind) for kind in ("Bone", "EditBone")) and sight.lacks(attribute)
        assign = sight.assignment_to(outer if isinstance(outer, cst.Subscript) else attribute)
        number = key_of(outer) if isinstance(outer, cst.Subscript) else None
        reads = isinstance(outer, cst.Subscript) and sight.is_read(outer)
        if (known or failed) and reads and isinstance(outer, cst.Subscript) and isinstance(number, cst.Integer):
            source = f'("Layer {number.evaluated_value + 1}" in {sight.code(owner)}.collections)'
            yield sight.replace(outer, source, reason)
        if assign is None or not (known or failed):
            continue
        if isinstance(outer, cst.Subscript):
            on = sight.code(assign.value) in {"True", "1"} and isinstance(number, cst.Integer)
            layer = number.evaluated_value if on and isinstance(number, cst.Integer) else None
        else:
            whole = _ONE_OF.fullmatch(sight.code(assign.value))
            layer = int(whole[2]) if whole else None
        if layer or (layer == 0 and asked_for_first):
            bone, name = sight.code(owner), f'"Layer {layer + 1}"'
            collections = f"{bone}.id_data.collections"
            source = f"({collections}.get({name}) or {collections}.new({name})).assign({bone})"
            yield sight.instead(assign, source, reason=reason)

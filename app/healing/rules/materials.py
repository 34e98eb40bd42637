"""Materials and worlds: settings that are gone, colours that nodes hide, prerequisites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight


@rule("settings without a counterpart: `use_bloom`, `shadow_method`, `use_antialiasing` ...")
def gone_settings(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.all(cst.Attribute):
        found = sight.change_of(attribute)
        if found is None or not found[1].drop:
            continue
        outer, call = sight.parent(attribute), sight.call_of(attribute)
        # Of a group that is gone, its settings are set.
        setting = outer if isinstance(outer, cst.Attribute) else attribute
        changed = sight.parent(setting)
        whole = isinstance(changed, cst.AugAssign) and changed.target is setting
        statement = changed if isinstance(changed, cst.AugAssign) and whole else sight.assignment_to(setting)
        called = sight.alone(call) if call and not call.args else None
        # The expression on the right may have effects beyond this setting.
        ended = called or (None if statement is None or does_something(statement) else statement)
        if ended:
            done = "called" if called else "set"
            reason = f"`{found[0]}.{attribute.attr.value}` is gone without a counterpart: it is no longer {done}"
            yield sight.instead(ended, reason=reason)


_HARMLESS: Final = frozenset({"range", "len", "int", "float", "bool", "str", "min", "max", "tuple", "list"})


def does_something(statement: cst.Assign | cst.AugAssign) -> bool:
    found: list[bool] = []

    class Calls(cst.CSTVisitor):
        def visit_NamedExpr(self, node: cst.NamedExpr) -> None:  # noqa: N802 - LibCST's name
            found.append(True)

        def visit_Yield(self, node: cst.Yield) -> None:  # noqa: N802 - LibCST's name
            found.append(True)

        def visit_Await(self, node: cst.Await) -> None:  # noqa: N802 - LibCST's name
            found.append(True)

        def visit_Call(self, node: cst.Call) -> None:  # noqa: N802 - LibCST's name
            found.append(not isinstance(node.func, cst.Name) or node.func.value not in _HARMLESS)

    statement.value.visit(Calls())
    return any(found)


@rule("2.80, 4.0: `thing.layers[3] = True`: the numbered layers are gone; everything in a collection is visible")
def numbered_layers(sight: Sight) -> Iterator[TreeEdit]:
    for attribute in sight.attributes("layers"):
        owners = ("Object", "Scene", "Bone", "EditBone", "Armature", "ViewLayer")
        known = any(sight.may_be(attribute.value, owner) for owner in owners) and sight.lacks(attribute)
        missing = sight.trouble.missing_member if sight.trouble else None
        failed = missing is not None and missing[1] == "layers" and missing[0] in owners and sight.fails_at(attribute)
        outer = sight.parent(attribute)
        assign = sight.assignment_to(outer if isinstance(outer, cst.Subscript) else attribute)
        if (known or failed) and assign:
            kept = [sight.code(assign.value)] if does_something(assign) else []
            reason = "the numbered layers are gone: everything in a collection is visible"
            yield sight.instead(assign, *kept, reason=reason)


@rule("2.80: `diffuse_color` with three numbers, and colours with one too many")
def rgba(sight: Sight) -> Iterator[TreeEdit]:
    for attribute, assign in sight.assigned(
        sight.attributes("diffuse_color", "default_value", "color", "specular_color")
    ):
        wanted = _length(sight, attribute)
        if not isinstance(assign.value, cst.Tuple | cst.List):
            yield from _cut(sight, assign.value, attribute.attr.value, wanted)
            continue
        parts = assign.value.elements
        given = len(parts)
        if not wanted or any(isinstance(part, cst.StarredElement) for part in parts) or {given, wanted} != {3, 4}:
            continue
        opening, closing = ("(", ")") if isinstance(assign.value, cst.Tuple) else ("[", "]")
        numbers = [sight.code(part.value) for part in parts][:3] + (["1.0"] if wanted == 4 else [])
        said = "takes an alpha too" if wanted == 4 else "takes no alpha"
        yield sight.replace(
            assign.value, f"{opening}{', '.join(numbers)}{closing}", f"`{attribute.attr.value}` {said} here"
        )


def _cut(sight: Sight, value: cst.BaseExpression, name: str, wanted: int) -> Iterator[TreeEdit]:
    """A colour that is computed elsewhere and was too long or too short for the property."""
    said = sight.trouble.message if sight.trouble and sight.fails_at(value) else ""
    if not isinstance(value, cst.Name | cst.Attribute | cst.Subscript | cst.Call):
        return
    source = sight.code(value)
    if wanted == 4 and re.search(r"not 3\b", said):
        yield sight.replace(value, f"(*{source}, 1.0)[:4]", f"`{name}` takes an alpha too here")
    elif wanted == 3 and re.search(r"not 4\b", said):
        yield sight.replace(value, f"{source}[:3]", f"`{name}` takes no alpha here")


def _length(sight: Sight, attribute: cst.Attribute) -> int:
    """The number of numbers that the property takes, by the manifest or the exception; 0 if unknown."""
    for type_name in ("Material", "World", "Light", "NodeSocketColor", "Object"):
        if sight.is_a(attribute.value, type_name):
            prop = sight.api.rna.property(type_name, attribute.attr.value)
            return prop.array[0] if prop and prop.array else 0
    if sight.trouble and sight.fails_at(attribute):
        for wanted, given in ((4, 3), (3, 4)):
            said = (
                f"should contain {wanted} items, not {given}",
                f"expected {wanted}",
                f"sequences of dimension 0 should contain {wanted} items",
            )
            if any(text in sight.trouble.message for text in said):
                return wanted
    return 0


@rule("`material.node_tree` is None until nodes are used")
def material_nodes(sight: Sight) -> Iterator[TreeEdit]:
    if sight.trouble is None or "'NoneType' object has no attribute 'nodes'" not in sight.trouble.message:
        return
    for attribute in sight.attributes("node_tree"):
        if not sight.fails_at(attribute):
            continue
        statement, owner = sight.statement(attribute), sight.code(attribute.value)
        if statement and f"{owner}.use_nodes" not in sight.text:
            yield sight.before(
                statement, f"{owner}.use_nodes = True", reason=f"`{owner}` has no nodes until they are used"
            )


@rule("a scene without a world")
def no_world(sight: Sight) -> Iterator[TreeEdit]:
    trouble = sight.trouble.message if sight.trouble else ""
    if "'NoneType' object has no attribute" not in trouble:
        return
    for attribute in sight.attributes("world"):
        statement = sight.statement(attribute)
        if statement is None or not sight.is_read(attribute):
            continue
        through = sight.parent(attribute)
        kept = sight.parent(through) if isinstance(through, cst.AssignTarget) else None
        named = isinstance(statement, cst.Assign) and statement.value is attribute
        scene = sight.code(attribute.value)
        if f"{scene}.world =" in sight.text or kept is not None:
            continue
        if (sight.fails_at(statement) or named) and scene.split(".")[-1] in {"scene", "scn", "sce"}:
            test = f'if {scene}.world is None:\n    {scene}.world = bpy.data.worlds.new("World")'
            yield sight.before(statement, test, reason="the scene has no world, so one is made")
            return


@rule("5.0: every material has nodes, so `diffuse_color` only colours the viewport", silent=True)
def diffuse_color(sight: Sight) -> Iterator[TreeEdit]:
    if sight.has("Material", "shadow_method") or not _always_nodes(sight):
        return
    if "BLENDER_WORKBENCH" in sight.text:
        return
    for attribute, assign in sight.assigned(sight.attributes("diffuse_color")):
        if sight.is_a(attribute.value, "Material") and _has_no_nodes(sight, attribute, "Base Color"):
            owner = sight.code(attribute.value)
            setting = (
                f'{owner}.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = {owner}.diffuse_color'
            )
            reason = "every material has nodes since 5.0: `diffuse_color` alone shows in the viewport but renders grey"
            yield sight.after(assign, setting, reason=reason)


@rule("5.0: every world has nodes, so `world.color` only colours the viewport", silent=True)
def world_color(sight: Sight) -> Iterator[TreeEdit]:
    if not _always_nodes(sight):
        return
    for attribute, assign in sight.assigned(sight.attributes("color")):
        if sight.is_a(attribute.value, "World") and _has_no_nodes(sight, attribute, "Background"):
            owner = sight.code(attribute.value)
            setting = f'{owner}.node_tree.nodes["Background"].inputs["Color"].default_value = (*{owner}.color, 1.0)'
            reason = "every world has nodes since 5.0: `world.color` alone is not rendered"
            yield sight.after(assign, setting, reason=reason)


def _has_no_nodes(sight: Sight, setting: cst.Attribute, socket: str) -> bool:
    """True if the snippet wants this material or world without nodes: it says so, or it uses no nodes at all."""
    owner = re.escape(sight.code(setting.value))
    if f'nodes["{socket}"]' in sight.text or f'["{socket}"].default_value = {sight.code(setting)}' in sight.text:
        return False
    if re.search(rf"(?m)^\s*{owner}\.use_nodes = False\b", sight.text):
        return re.search(rf"\b{owner}\.node_tree\b", sight.text) is None
    return not any(word in sight.text for word in (socket, "use_nodes", "node_tree"))


def _always_nodes(sight: Sight) -> bool:
    """True if materials and worlds of the target always have nodes, so that `use_nodes` has no effect."""
    prop = sight.api.rna.property("Material", "use_nodes")
    return bool(prop and prop.deprecated)

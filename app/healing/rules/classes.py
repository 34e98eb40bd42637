"""Classes that a script registers, and their properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight

REGISTERED: Final = frozenset(
    {
        *("Operator", "Panel", "Menu", "Header", "PropertyGroup", "AddonPreferences", "UIList", "Node", "NodeSocket"),
        *("ImportHelper", "ExportHelper", "RenderEngine", "Macro", "KeyingSetInfo", "GizmoGroup", "Gizmo", "NodeTree"),
    }
)
MIXED_IN: Final = frozenset({"ImportHelper", "ExportHelper"})
"""Bases that a class is registered with, and not for."""
_PROPERTIES: Final = frozenset(
    {
        *("BoolProperty", "BoolVectorProperty", "CollectionProperty", "EnumProperty", "FloatProperty"),
        *("FloatVectorProperty", "IntProperty", "IntVectorProperty", "PointerProperty", "StringProperty"),
    }
)


def registered_classes(sight: Sight) -> Iterator[cst.ClassDef]:
    for defined in sight.all(cst.ClassDef):
        bases = {sight.code(base.value).rpartition(".")[2] for base in defined.bases}
        if bases & REGISTERED:
            yield defined


def _mixed_in(sight: Sight) -> Iterator[cst.ClassDef]:
    """The classes without a base of Blender's that others are made of, in this file or in the add-on."""
    bases = {sight.code(base.value) for defined in sight.all(cst.ClassDef) for base in defined.bases}
    if sight.package:
        bases |= {base for classes in sight.package.classes.values() for one in classes for base in one.bases}
    names = {base.rpartition(".")[2] for base in bases}
    registered = set(registered_classes(sight))
    yield from (one for one in sight.all(cst.ClassDef) if one.name.value in names and one not in registered)


def class_annotations(sight: Sight) -> Iterator[TreeEdit]:
    if "_PropertyDeferred" in sight.text:
        # It makes the annotations itself, for Blenders of both kinds.
        return
    for defined in (*registered_classes(sight), *_mixed_in(sight)):
        for line in defined.body.body:
            for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
                    continue
                target, value = statement.targets[0].target, statement.value
                if not isinstance(target, cst.Name) or not isinstance(value, cst.Call):
                    continue
                if sight.code(value.func).rpartition(".")[2] in _PROPERTIES:
                    reason = "a property of a class is declared with a colon since 2.80"
                    yield sight.instead(statement, f"{target.value}: {sight.code(value)}", reason=reason)


_OF_OPERATORS: Final = frozenset({"REGISTER", "UNDO", "UNDO_GROUPED", "BLOCKING", "MACRO", "PRESET", "INTERNAL"})
_WITH_TOOLBAR: Final = re.compile(r"NODE_EDITOR|IMAGE_EDITOR|SEQUENCE_EDITOR")


def panel_region(sight: Sight) -> Iterator[TreeEdit]:
    """Tool shelves are gone: their panels moved to the sidebar."""
    for defined in sight.all(cst.ClassDef):
        # A class without such a base is mixed into panels.
        if {sight.code(base.value).rpartition(".")[2] for base in defined.bases} & (REGISTERED - {"Panel"}):
            continue
        for text in sight.all(cst.SimpleString):
            statement = sight.statement(text)
            inside = any(outer is defined for outer in sight.around(text))
            if not inside or text.evaluated_value != "TOOLS" or not isinstance(statement, cst.Assign):
                continue
            if sight.code(statement.targets[0].target) == "bl_region_type" and _had_tabs(sight, defined):
                reason = "panels with a tab, and those of the 3D view, are in the sidebar since 2.80"
                yield sight.replace(text, f"{text.quote}UI{text.quote}", reason)


def _had_tabs(sight: Sight, defined: cst.ClassDef) -> bool:
    """True if the class is for a tool shelf that became a toolbar."""
    source = sight.code(defined)
    return "VIEW_3D" in source or ("bl_category" in source and bool(_WITH_TOOLBAR.search(source)))


def menu_options(sight: Sight) -> Iterator[TreeEdit]:
    """Options of operators in menus, which had none before 4.1."""
    if not sight.has("Menu", "bl_options"):
        return
    for defined in registered_classes(sight):
        if {sight.code(base.value).rpartition(".")[2] for base in defined.bases} & REGISTERED != {"Menu"}:
            continue
        for line in defined.body.body:
            for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                if not isinstance(statement, cst.Assign) or sight.code(statement.targets[0].target) != "bl_options":
                    continue
                options = statement.value.elements if isinstance(statement.value, cst.Set) else ()
                texts = [sight.text_of(option.value) for option in options]
                if texts and set(texts) <= _OF_OPERATORS:
                    reason = "these are options of operators: menus had none, and since 4.1 refuse them"
                    yield sight.instead(statement, reason=reason)


_READS_PROPERTIES: Final = re.compile(r"__annotations__|\b(?:Pointer|Collection)Property\b")


def deferred_properties(sight: Sight) -> Iterator[TreeEdit]:
    """`isinstance(value, tuple) and value[0] == bpy.props.PointerProperty`: how a property is told from a value."""
    if sight.api.version < (2, 93) or "_PropertyDeferred" in sight.text:
        return
    reason = "a property that is not registered yet is no tuple since 2.93"
    for call in sight.all(cst.Call):
        function, given = sight.function(call), [sight.code(argument).rstrip(", ") for argument in call.args]
        if sight.code(call.func) != "isinstance" or given[1:] != ["tuple"] or function is None:
            continue
        if not _READS_PROPERTIES.search(sight.code(function)) or sight.is_guarded(call):
            continue
        test, whole = sight.parent(call), f"isinstance({given[0]}, bpy.props._PropertyDeferred)"
        pair = isinstance(test, cst.BooleanOperation) and sight.code(test.right) == f"len({given[0]}) == 2"
        yield sight.replace(test if isinstance(test, cst.BooleanOperation) and pair else call, whole, reason)
        for part in sight.all(cst.Subscript):
            name = {f"{given[0]}[0]": "function", f"{given[0]}[1]": "keywords"}.get(sight.code(part))
            if name and sight.function(part) is function:
                yield sight.replace(part, f"{given[0]}.{name}", reason)


_HELPER: Final = "orientation_helper"
_HELPER_FACTORY: Final = f"{_HELPER}_factory"


def orientation_helpers(sight: Sight) -> Iterator[TreeEdit]:
    """`Helper = orientation_helper_factory("Helper", axis_forward='-Z')`: a decorator makes the properties."""
    if _HELPER_FACTORY not in sight.text or sight.api.version < (2, 80):
        return
    reason = f"`{_HELPER}` is a decorator since 2.80"
    for assign in sight.all(cst.Assign):
        call, target = assign.value, assign.targets[0].target
        if not isinstance(call, cst.Call) or not isinstance(target, cst.Name) or sight.is_guarded(call):
            continue
        function = sight.code(call.func)
        if function.rpartition(".")[2] == _HELPER_FACTORY:
            given = [arg for place, arg in enumerate(call.args) if place or arg.keyword]
            axes = ", ".join(sight.code(arg).rstrip(", ") for arg in given if sight.code(arg).split("=")[0] != "name")
            decorator = f"{function.removesuffix('_factory')}({axes})"
            yield sight.instead(assign, f"@{decorator}\nclass {target.value}:\n    pass", reason=reason)
    for alias in sight.all(cst.ImportAlias):
        if sight.code(alias.name) == _HELPER_FACTORY and alias.asname is None:
            yield sight.replace(alias.name, _HELPER, reason)


RULES: Final = (
    Rule("class-annotations", "2.80: `x = bpy.props.X()` in a class is `x: bpy.props.X()`", class_annotations),
    Rule("deferred-properties", "2.93: properties as tuples: `isinstance(value, tuple)`", deferred_properties),
    Rule("orientation-helper", "2.80: `Helper = orientation_helper_factory('Helper')`", orientation_helpers),
    Rule("panel-region", "2.80: panels of a tool shelf", panel_region),
    Rule("menu-options", "4.1: `bl_options` of operators in a menu", menu_options),
)

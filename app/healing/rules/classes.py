"""Classes that a script registers, and their properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import Change
from app.healing.package import Package
from app.healing.rule import Rule
from app.healing.sight import Sight

_REGISTERED: Final = frozenset(
    {
        *("Operator", "Panel", "Menu", "Header", "PropertyGroup", "AddonPreferences", "UIList", "Node", "NodeSocket"),
        *("ImportHelper", "ExportHelper", "RenderEngine", "Macro", "KeyingSetInfo", "GizmoGroup", "Gizmo", "NodeTree"),
    }
)
_MIXED_IN: Final = frozenset({"ImportHelper", "ExportHelper"})
"""Bases that a class is registered with, and not for."""
_PROPERTIES: Final = frozenset(
    {
        *("BoolProperty", "BoolVectorProperty", "CollectionProperty", "EnumProperty", "FloatProperty"),
        *("FloatVectorProperty", "IntProperty", "IntVectorProperty", "PointerProperty", "StringProperty"),
    }
)


_OF_MODULES: Final = frozenset({"bpy.utils.register_module", "bpy.utils.unregister_module"})


def _classes(sight: Sight) -> Iterator[cst.ClassDef]:
    for defined in sight.all(cst.ClassDef):
        bases = {sight.code(base.value).rpartition(".")[2] for base in defined.bases}
        if bases & _REGISTERED:
            yield defined


def class_annotations(sight: Sight) -> Iterator[Change]:
    for defined in _classes(sight):
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
_LISTED: Final = "addon_classes"


def _classes_of_all(sight: Sight) -> dict[str, list[str]]:
    """The classes of the modules of an add-on that Blender registers, if this is the file that imports them."""
    package = sight.package
    if package is None or not package.is_folder:
        return {}
    every = [one for classes in package.classes.values() for one in classes]
    own = {one.name for one in every}
    known: set[str] = set()
    for _ in every:
        more = {one.name for one in every if any(_is_registered(base, own, known) for base in one.bases)} - known
        if not more:
            break
        known |= more
    start = f"{package.module}." if package.module else ""
    found = {
        module: [one.name for one in classes if any(_is_registered(base, own, known) for base in one.bases)]
        for module, classes in package.classes.items()
        if module.startswith(start) or module == package.module
    }
    return {module: names for module, names in found.items() if names}


def _is_registered(base: str, own: set[str], known: set[str]) -> bool:
    """Whether a base is one of Blender's that classes are registered for, or one of the add-on's that is `known`."""
    name = base.rpartition(".")[2]
    if "types." not in base and name in own:
        return name in known
    return name in _REGISTERED - _MIXED_IN


def _lister(package: Package, classes: dict[str, list[str]]) -> str:
    """A function that returns the classes in the order of their registration."""
    start = len(package.module) + 1 if package.module else 0
    lines = [f"def {_LISTED}():", '    """The classes that Blender registers, in this order."""']
    end = ",\n        "
    taken: set[str] = set()
    listed: list[str] = []
    for module, names in classes.items():
        aliases = [name if name not in taken else f"{name}_of_{module.replace('.', '_')}" for name in names]
        taken.update(aliases)
        listed += aliases
        if module != package.module:
            wanted = [n if n == a else f"{n} as {a}" for n, a in zip(names, aliases, strict=True)]
            lines.append(f"    from .{module[start:]} import (\n        {end.join(wanted)},\n    )")
    return "\n".join([*lines, f"    return [\n        {end.join(listed)},\n    ]", ""])


def _register_modules(sight: Sight, package: Package, classes: dict[str, list[str]]) -> Iterator[Change]:
    """`register_module(__name__)` in the `__init__` of an add-on registers the classes of all modules below it."""
    done = False
    for call in sight.all(cst.Call):
        source, statement = sight.code(call.func), sight.alone(call)
        if source not in _OF_MODULES or statement is None or sight.guarded(call) or len(call.args) != 1:
            continue
        if sight.code(call.args[0].value) not in {"__name__", "__package__"}:
            continue
        done = True
        listed = f"{_LISTED}()" if "unregister" not in source else f"reversed({_LISTED}())"
        each = f"for cls in {listed}:\n    {source.replace('module', 'class')}(cls)"
        yield sight.instead(statement, each, reason=f"`{source}` is gone since 2.80")
    if done:
        reason = "the classes are registered one by one since 2.80, those of the other modules too"
        yield Change(reason, sight.module, closing=f"\n{_lister(package, classes)}")


def register_module(sight: Sight) -> Iterator[Change]:
    classes = _classes_of_all(sight)
    if sight.package and classes.keys() - {sight.package.module}:
        yield from _register_modules(sight, sight.package, classes)
        return
    names = [defined.name.value for defined in _classes(sight)]
    for call in sight.all(cst.Call):
        source = sight.code(call.func)
        statement = sight.alone(call)
        if source not in _OF_MODULES or statement is None:
            continue
        new = source.replace("module", "class")
        order = names if "unregister" not in new else names[::-1]
        if names and not sight.guarded(call):
            yield sight.instead(
                statement, *[f"{new}({name})" for name in order], reason=f"`{source}` is gone since 2.80"
            )


def panel_region(sight: Sight) -> Iterator[Change]:
    """Tool shelves are gone: their panels moved to the sidebar."""
    for defined in sight.all(cst.ClassDef):
        # A class without such a base is mixed into panels.
        if {sight.code(base.value).rpartition(".")[2] for base in defined.bases} & (_REGISTERED - {"Panel"}):
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
    """Whether the class is for a tool shelf that became a toolbar."""
    source = sight.code(defined)
    return "VIEW_3D" in source or ("bl_category" in source and bool(_WITH_TOOLBAR.search(source)))


def menu_options(sight: Sight) -> Iterator[Change]:
    """Options of operators in menus, which had none before 4.1."""
    if not sight.has("Menu", "bl_options"):
        return
    for defined in _classes(sight):
        if {sight.code(base.value).rpartition(".")[2] for base in defined.bases} & _REGISTERED != {"Menu"}:
            continue
        for line in defined.body.body:
            for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                if not isinstance(statement, cst.Assign) or sight.code(statement.targets[0].target) != "bl_options":
                    continue
                options = statement.value.elements if isinstance(statement.value, cst.Set) else ()
                texts = [sight.text_of(one.value) for one in options]
                if texts and set(texts) <= _OF_OPERATORS:
                    reason = "these are options of operators: menus had none, and since 4.1 refuse them"
                    yield sight.instead(statement, reason=reason)


def split_percentage(sight: Sight) -> Iterator[Change]:
    for call in sight.all(cst.Call):
        function = call.func
        if not isinstance(function, cst.Attribute) or function.attr.value not in {"split", "prop", "operator", "label"}:
            continue
        if not sight.is_a(function.value, "UILayout") or sight.guarded(call):
            continue
        for argument in call.args:
            if argument.keyword and argument.keyword.value == "percentage":
                yield sight.argument(
                    argument, f"factor={sight.code(argument.value)}", "`percentage` is `factor` since 2.80"
                )
            elif argument.keyword is None and not argument.star and function.attr.value == "label":
                yield sight.argument(
                    argument, f"text={sight.code(argument.value)}", "`text` is given by keyword since 2.80"
                )


RULES: Final = (
    Rule("class-annotations", "2.80: `x = bpy.props.X()` in a class is `x: bpy.props.X()`", class_annotations),
    Rule("register-module", "2.80: `bpy.utils.register_module(__name__)`", register_module),
    Rule("panel-region", "2.80: panels of a tool shelf", panel_region),
    Rule("menu-options", "4.1: `bl_options` of operators in a menu", menu_options),
    Rule("layout-arguments", "2.80: `layout.split(percentage=...)`, `layout.label('text')`", split_percentage),
)

"""Skeletons of add-ons: operators, panels, property groups, properties of types."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.drafting.composer.build import Build
from app.drafting.composer.grammar import step
from app.drafting.composer.slots import Target
from app.drafting.composer.values import literal, quoted, refuse

@dataclass
class Classes:
    """The classes that a request registers."""

    names: list[str]


def register(build: Build, name: str, code: str) -> None:
    """Add a class, and its registration in `main`."""
    known: Classes = build.__dict__.setdefault("_classes", Classes([]))
    if not known.names:
        build.line("register()")
    known.names.append(name)
    build.function(code)
    build.registered = tuple(known.names)


def class_name(identifier: str, middle: str) -> str:
    """The name Blender gives the class of an operator or a panel."""
    area, _, rest = identifier.partition(".")
    return f"{area.upper()}_{middle}_{rest}"


@step(
    "(register|write|create|add|make|define) [a|an] [new] {empty=empty|dummy|do nothing|simple|minimal} operator [<called>] {ident:dotted} [(labelled|labeled|with label|with the label|called|named|label|,) [label] {label:quoted}]",
)
def operator(build: Build, ident: str, label: str | None, empty: str) -> None:
    """An operator that does nothing yet."""
    del empty
    name = class_name(ident, "OT")
    title = label or ident.partition(".")[2].replace("_", " ").title()
    register(
        build,
        name,
        f'class {name}(bpy.types.Operator):\n'
        f'    """{title}."""\n\n'
        f"    bl_idname = {quoted(ident)}\n    bl_label = {quoted(title)}\n\n"
        f'    def execute(self, context: bpy.types.Context) -> set[Any]:\n'
        f'        """Do the work."""\n        del context\n        return {{"FINISHED"}}\n',
    )
    build.imports("typing: Any")
    build.note(f"operator {ident}")


@step(
    "<add> [a|an] {kind=float|int|integer|bool|boolean|string} property {ident:identifier} (to|on|for) [all] (objects|scenes|materials|object|scene|material) [«] [bpy.types.Object|bpy.types.Scene|bpy.types.Material] [»] [,] [(with|,)] [default] [of] [{default:n}] [,] [between {low:n} and {high:n}] [,] [and set it to {value:n} on {target:object}]",
)
def rna_property(build: Build, kind: str, ident: str, default: float | None, low: float | None, high: float | None, value: float | None, target: Target | None) -> None:
    """A property of every object, scene or material."""
    owner = next((name for name in ("Object", "Scene", "Material") if re.search(rf"\b{name}s?\b", build.request, re.IGNORECASE)), None)
    if owner is None or kind in {"string"} or (target is not None and owner != "Object"):
        raise refuse(ident, "of which type?")
    maker = {"float": "FloatProperty", "int": "IntProperty", "integer": "IntProperty", "bool": "BoolProperty", "boolean": "BoolProperty"}[kind]

    def shown(number: float) -> str:
        return literal(float(number) if kind == "float" else bool(number) if "bool" in kind else int(number))

    arguments = [f"name={quoted(ident.replace('_', ' ').title())}"]
    for key, number in (("default", default), ("min", low), ("max", high)):
        if number is not None:
            arguments.append(f"{key}={shown(number)}")
    build.comment(f"the property {ident}")
    build.line(f'setattr(bpy.types.{owner}, {quoted(ident)}, bpy.props.{maker}({", ".join(arguments)}))')
    if target is not None and value is not None:
        known = build.one(target)
        build.line(f"setattr({known.var}, {quoted(ident)}, {shown(value)})")
    build.note(f"property {ident} of {owner}")

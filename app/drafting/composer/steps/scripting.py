"""Skeletons of add-ons: operators, panels, property groups, properties of types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.drafting.composer.build import Build
from app.drafting.composer.grammar import step
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Target
from app.drafting.composer.values import literal, quoted, refuse


@dataclass
class Classes:
    """The classes that a request registers."""

    names: list[str]


def register(build: Build, name: str, code: str) -> None:
    """Add a class, and its registration in `main`."""
    known: Classes = build.memory.setdefault("_classes", Classes([]))
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
        f"class {name}(bpy.types.Operator):\n"
        f'    """{title}."""\n\n'
        f"    bl_idname = {quoted(ident)}\n    bl_label = {quoted(title)}\n\n"
        f"    def execute(self, context: bpy.types.Context) -> set[Any]:\n"
        f'        """Do the work."""\n        del context\n        return {{"FINISHED"}}\n',
    )
    build.imports("typing: Any")
    build.note(f"operator {ident}")


@step(
    "(register|write|create|add|make|define) [a|an] [new] [empty|simple] panel [<called>] {label:quoted} in [the] (sidebar|n-panel|n panel) [of the 3d viewport|of the viewport|of the 3d view] [,] [[(in|under|with)] [the] [category|tab] {tab:quoted}]",
    "(register|write|create|add|make|define) [a|an] [new] [empty|simple] panel in [the] (sidebar|n-panel|n panel) [of the 3d viewport|of the viewport|of the 3d view] [called|named|with the label] {label:quoted} [,] [[(in|under|with)] [the] [category|tab] {tab:quoted}]",
    "(register|write|create|add|make) [a|an] [new] panel {label:quoted} in [the] sidebar [of the 3d viewport|of the viewport|of the 3d view] [,] category {tab:quoted} [,] with buttons for {buttons:buttons}",
)
def panel(build: Build, label: str, tab: str | None, buttons: list[str] | None) -> None:
    """A panel in the sidebar of the 3D viewport."""
    name = "VIEW3D_PT_" + (re.sub(r"\W+", "_", label.lower(), flags=re.ASCII).strip("_") or "panel")
    rows = [f"        expect(self.layout, bpy.types.UILayout).operator({quoted(each)})" for each in buttons or []] or [
        f"        expect(self.layout, bpy.types.UILayout).label(text={quoted(label)})"
    ]
    register(
        build,
        name,
        f'class {name}(bpy.types.Panel):\n    """{label.replace(chr(34), "")}."""\n\n'
        f'    bl_label = {quoted(label)}\n    bl_space_type = "VIEW_3D"\n    bl_region_type = "UI"\n    bl_category = {quoted(tab or "Tool")}\n\n'
        f'    def draw(self, context: bpy.types.Context) -> None:\n        """Show the panel."""\n        del context\n'
        + "\n".join(rows)
        + "\n",
    )
    build.imports("typing: Any")
    build.need("expect")
    build.note(f'panel "{label}"')


@slot("buttons")
def buttons_slot(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, list[str]]]:
    """Operators by what they do: "adding a cube and for shading smooth"."""
    known = {("adding", "a", "cube"): "mesh.primitive_cube_add", ("adding", "a", "sphere"): "mesh.primitive_uv_sphere_add", ("adding", "a", "plane"): "mesh.primitive_plane_add",
             ("shading", "smooth"): "object.shade_smooth", ("shading", "flat"): "object.shade_flat", ("joining",): "object.join", ("duplicating",): "object.duplicate"}  # fmt: skip
    found: list[str] = []
    place = at
    while True:
        hit = next(
            (words for words in known if tuple(reading.word(place + k) for k in range(len(words))) == words), None
        )
        if hit is None:
            token = reading.tokens[place] if place < len(reading.tokens) else None
            if token is None or not re.fullmatch(r"[a-z_]\w*\.[a-z_]\w*", token.text):
                return
            found.append(token.text)
            place += 1
        else:
            found.append(known[hit])
            place += len(hit)
        yield place, list(found)
        while reading.mark(place) == "," or reading.word(place) in {"and", "for"}:
            place += 1


@step(
    "<add> [a|an] {kind=float|int|integer|bool|boolean|string} property {ident:identifier} (to|on|for) [all] (objects|scenes|materials|object|scene|material) [«] [bpy.types.Object|bpy.types.Scene|bpy.types.Material] [»] [,] [(with|,)] [default] [of] [{default:n}] [,] [between {low:n} and {high:n}] [,] [and set it to {value:n} on {target:object}]",
)
def rna_property(
    build: Build,
    kind: str,
    ident: str,
    default: float | None,
    low: float | None,
    high: float | None,
    value: float | None,
    target: Target | None,
) -> None:
    """A property of every object, scene or material."""
    owner = next(
        (name for name in ("Object", "Scene", "Material") if re.search(rf"\b{name}s?\b", build.request, re.IGNORECASE)),
        None,
    )
    if owner is None or kind in {"string"} or (target is not None and owner != "Object"):
        raise refuse(ident, "of which type?")
    maker = {
        "float": "FloatProperty",
        "int": "IntProperty",
        "integer": "IntProperty",
        "bool": "BoolProperty",
        "boolean": "BoolProperty",
    }[kind]

    def shown(number: float) -> str:
        return literal(float(number) if kind == "float" else bool(number) if "bool" in kind else int(number))

    arguments = [f"name={quoted(ident.replace('_', ' ').title())}"]
    for key, number in (("default", default), ("min", low), ("max", high)):
        if number is not None:
            arguments.append(f"{key}={shown(number)}")
    build.comment(f"the property {ident}")
    build.imports("typing: Any")
    build.line(f"every: Any = bpy.types.{owner}\nevery.{ident} = bpy.props.{maker}({', '.join(arguments)})")
    if target is not None and value is not None:
        known = build.one(target)
        build.line(f"owner: Any = {known.var}\nowner.{ident} = {shown(value)}")
    build.note(f"property {ident} of {owner}")

"""Values in the form that Blender takes for a property: in its unit, within its limits, one of its items."""

from __future__ import annotations

import math
from typing import Any, Final

from app.drafting.commands import operations as op
from app.drafting.commands.literals import Angle
from app.drafting.commands.names import Names, PropertyPath, item_of
from app.drafting.commands.words import UNITS, color_of, plain
from app.drafting.draft import NotUnderstood, ValueOutOfRange
from ingest.manifest import Property

DATA_OF_POINTERS: Final = {
    "Object": "objects", "Material": "materials", "Collection": "collections", "Curve": "curves", "Image": "images",
    "Action": "actions", "NodeTree": "node_groups", "GeometryNodeTree": "node_groups", "Texture": "textures",
    "World": "worlds", "Scene": "scenes", "Text": "texts", "Mesh": "meshes", "Armature": "armatures",
    "VectorFont": "fonts", "Light": "lights", "Camera": "cameras", "ParticleSettings": "particles",
}  # fmt: skip
"""The collection of `bpy.data` that holds the data blocks of a type."""
_ROTATIONS: Final = {"EULER", "ANGLE"}
_KINDS: Final = {
    "LENGTH": ("length",), "CAMERA": ("length",), "MASS": ("mass",), "COLOR_TEMPERATURE": ("temperature",),
    "": ("share", "pixels"),
}  # fmt: skip
"""The kinds of units in words.toml that measure each unit of Blender."""
_COLORS: Final = {"COLOR", "COLOR_GAMMA"}


def takes(prop: Property, value: op.Value) -> bool:
    """True if a property of this type can take the value."""
    if isinstance(value, op.Vector):
        return bool(prop.array) or prop.dynamic_array
    if isinstance(value, op.Number):
        truth = prop.type == "BOOLEAN" and value.number in {0, 1}
        return prop.type in {"INT", "FLOAT"} or truth or (prop.type == "ENUM" and not prop.flags)
    if value.text in {"on", "off"} and not value.quoted:
        return prop.type in {"BOOLEAN", "ENUM"}
    return prop.type not in {"INT", "FLOAT"} or prop.subtype in _COLORS


def take(names: Names, target: PropertyPath, value: op.Value) -> Any:
    """The value as Blender takes it: bool, int, float, str, a tuple of them, or a set of items.

    Raises ValueOutOfRange with the allowed values.
    """
    prop = target.prop
    if prop.type == "ENUM":
        return _items(names, prop, value)
    if prop.type in {"STRING", "POINTER"}:
        return _text(prop, value)
    if target.index is None and prop.array:
        return _array(prop, value)
    return _single(prop, value)


def _items(names: Names, prop: Property, value: op.Value) -> Any:
    words = _text(prop, value)
    items: list[Any] = list(prop.items)
    if not items and prop.name == "engine":
        items = list(names.manifest.identifiers["engines"].values())
    if prop.flags:
        found = {item_of(items, part) for part in words.replace(",", " and ").split(" and ")}
        if None not in found:
            return found
    for named in (words, f"blender {words}", f"blender {words} next"):
        item = _item(items, named)
        if item:
            return item
    if not items or prop.open:
        # Blender computes the items at run time; identifiers are in capitals, except for those that are names.
        return words.upper() if words == words.lower() else words
    known = ", ".join(f"{item.identifier}" for item in items[:40])
    raise ValueOutOfRange([words], f'"{words}" is not a value of {prop.label or prop.name}; allowed here: {known}.')


def _item(items: list[Any], words: str) -> str | None:
    """The identifier of the item with this name; manifest identifiers have a label, items a name."""
    if items and hasattr(items[0], "label"):
        return next(
            (item.identifier for item in items if plain(words) in {plain(item.identifier), plain(item.label)}), None
        )
    return item_of(items, words)


def _text(prop: Property, value: op.Value) -> str:
    if isinstance(value, op.Word):
        return value.text
    if isinstance(value, op.Number) and prop.type == "ENUM":
        return f"{value.number:g}"
    raise ValueOutOfRange([], f"{prop.label or prop.name} takes a name, not a number.")


def _array(prop: Property, value: op.Value) -> tuple[Any, ...]:
    size = math.prod(prop.array)
    name = prop.label or prop.name
    if isinstance(value, op.Word):
        if prop.subtype in _COLORS:
            color = color_of(value.text)
            if color is None:
                raise ValueOutOfRange([value.text], f'"{value.text}" is not a color; write a name or #rrggbb.')
            return (*color, 1.0)[:size]
        if prop.type == "BOOLEAN":
            axes = {plain(part).removesuffix(" axis") for part in value.text.replace(",", " and ").split(" and ")}
            if axes <= {"x", "y", "z"} and size == 3:
                return tuple(axis in axes for axis in ("x", "y", "z"))
        raise ValueOutOfRange([value.text], f"{name} takes {size} values in parentheses, not {value.text}.")
    if isinstance(value, op.Number):
        raise ValueOutOfRange([], f"{name} takes {size} values in parentheses.")
    parts = value.parts
    if prop.subtype in _COLORS and (len(parts), size) == (3, 4):
        parts = (*parts, op.Number(number=1.0))
    if len(parts) != size:
        raise ValueOutOfRange([], f"{name} takes {size} values, not {len(parts)}.")
    return tuple(_single(prop, part) for part in parts)


def _single(prop: Property, value: op.Value) -> bool | int | float:
    """One number or truth value within the limits of the property."""
    name = prop.label or prop.name
    if prop.type == "BOOLEAN":
        if isinstance(value, op.Word) and value.text in {"on", "off"}:
            return value.text == "on"
        if isinstance(value, op.Number) and value.number in {0, 1}:
            return bool(value.number)
        raise ValueOutOfRange([], f"{name} takes on or off.")
    if not isinstance(value, op.Number):
        raise ValueOutOfRange([], f"{name} takes a number.")
    number = in_units(
        value,
        angle=prop.subtype in _ROTATIONS
        or (prop.unit == "ROTATION" and prop.subtype not in {"QUATERNION", "AXISANGLE"}),
        prop=prop,
    )
    if prop.type == "INT":
        if number != int(number):
            raise ValueOutOfRange([f"{value.number:g}"], f"{name} takes a whole number.")
        number = int(number)
    for limit, beyond, word in ((prop.min, -1, "least"), (prop.max, 1, "most")):
        if limit is not None and (number - limit) * beyond > abs(limit) * 1e-6:
            raise ValueOutOfRange(
                [f"{value.number:g}"], f"{name} must be at {word} {limit:g} in Blender, not {number:g}."
            )
    return number


def _kinds_of(prop: Property) -> tuple[str, ...]:
    """The kinds of units that a property is measured in; Blender names none for the power of lights and frame rates."""
    own = {"energy": ("power",), "fps": ("rate",)}.get(prop.name, ())
    return (*_KINDS.get(prop.unit, ()), *own)


def in_units(value: op.Number, *, angle: bool = False, prop: Property | None = None, kinds: str = "length") -> float:
    """A number in Blender's unit; an angle without a unit is in degrees, as the interface shows it.

    Without a property, `kinds` are the allowed kinds of units. Raises ValueOutOfRange for other units.
    """
    kind, factor = UNITS.get(value.unit, ("", 1.0))
    name = (prop.label or prop.name) if prop else "It"
    if angle:
        if kind not in {"", "angle"}:
            raise ValueOutOfRange([value.unit], f"An angle is not measured in {value.unit}.")
        return Angle(round(math.radians(value.number) if not kind else value.number * factor, 9))
    if kind and kind not in (_kinds_of(prop) if prop else kinds.split()):
        raise ValueOutOfRange(
            [value.unit], f"{name} is not an angle." if kind == "angle" else f"{name} is not in {value.unit}."
        )
    if prop is not None and prop.unit == "CAMERA":
        # Focal lengths and sensors are in millimetres.
        return round(value.number * (factor * 1000 if kind == "length" else 1.0), 9)
    if kind == "share" and prop is not None and prop.subtype == "PERCENTAGE":
        return value.number
    return round(value.number * factor, 9)


def vector(value: op.Value, *, angle: bool = False) -> tuple[float, float, float]:
    """Three numbers in Blender's units; raises NotUnderstood for anything else."""
    if not isinstance(value, op.Vector) or len(value.parts) != 3:
        raise NotUnderstood([], "Three numbers in parentheses are needed, such as (0, 0, 1).")
    x, y, z = (in_units(part, angle=angle) for part in value.parts)
    return x, y, z

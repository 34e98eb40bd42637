"""Reads what a request sets on a thing ("width 0.05", "3 segments", "on the X axis") and checks every value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.drafting.composer.cursor import Cursor, Quantity
from app.drafting.composer.lexicon import Properties, Property
from app.drafting.composer.plan import Degrees, Value, Vector
from app.drafting.draft import NotUnderstood, ValueOutOfRange

_UNIT_OF: Final = {
    "length": "length",
    "lengths": "length",
    "angle": "angle",
    "angles": "angle",
    "factor": "share",
}

_EXPECTED: Final = {
    "bool": "on or off",
    "int": "a whole number",
    "number": "a number",
    "factor": "a number",
    "length": "a length",
    "angle": "an angle",
    "numbers": "(x, y, z)",
    "lengths": "(x, y, z)",
    "angles": "an angle and an axis, or (x, y, z) degrees",
    "scales": "a number, or (x, y, z)",
}


@dataclass(frozen=True)
class Setting:
    """A property, the value for it, and the words that said so."""

    property: Property
    value: Value
    words: str


@dataclass
class Settings:
    """What a request sets on one thing, by attribute."""

    said: dict[str, Setting] = field(default_factory=dict[str, Setting])

    def add(self, setting: Setting) -> None:
        """Keep a setting. Raises `NotUnderstood` if one of its attributes was set before."""
        for attribute in setting.property.attributes:
            if attribute in self.said:
                earlier = self.said[attribute].words
                raise NotUnderstood([setting.words], f'"{setting.words}" comes on top of "{earlier}"')
            self.said[attribute] = setting

    def values(self) -> dict[str, Value]:
        """Every attribute and its value: first the modes that the settings need, then what was said.

        Raises `NotUnderstood` if two settings need modes that exclude each other, or one a mode that was not said.
        """
        said = {attribute: setting.value for attribute, setting in self.said.items()}
        implied = {
            attribute: setting.value
            for setting in self.said.values()
            for attribute in setting.property.also
            if attribute not in said
        }
        return {**self._needed(said), **said, **implied}

    def _needed(self, said: Mapping[str, Value]) -> dict[str, Value]:
        allowed: dict[str, list[bool | str]] = {}
        for setting in self.said.values():
            for attribute, wanted in setting.property.needs.items():
                left = [value for value in allowed.get(attribute, wanted) if value in wanted]
                if attribute in said:
                    left = [value for value in left if value == said[attribute]]
                if not left:
                    raise NotUnderstood([setting.words], f'"{setting.words}" does not go with the rest')
                if attribute in setting.property.asks and attribute not in said:
                    modes = " or ".join(str(value).lower() for value in wanted)
                    raise NotUnderstood([setting.words], f'"{setting.words}": say which {attribute}, {modes}')
                allowed[attribute] = left
        return {attribute: values[0] for attribute, values in allowed.items() if attribute not in said}


def setting_here(cursor: Cursor, tables: Sequence[Properties]) -> Setting | None:
    """Take one setting. A property is looked for in the tables in order. Raises `ValueOutOfRange` for a bad value."""
    for table in tables:
        for read in (_value_first, _axis, _name_first, _choice_first):
            start = cursor.at
            found = read(cursor, table)
            if found is not None:
                return found
            cursor.at = start
    return None


def _unnamed(cursor: Cursor, table: Properties) -> Setting | None:
    """A length without a name, as in "a 2 m cube"."""
    start = cursor.at
    quantity = cursor.quantity()
    if quantity is None or table.unnamed is None or quantity.unit is None or quantity.unit.of != "length":
        return None
    return Setting(table.unnamed, _checked(table.unnamed, quantity), cursor.said(start))


def before_noun(cursor: Cursor, table: Properties) -> Setting | None:
    """Take what can stand before a noun: "3 segment", "2 m", "filled"."""
    start = cursor.at
    for read in (_value_first, _unnamed, _switched_on):
        found = read(cursor, table)
        if found is not None:
            return found
        cursor.at = start
    return None


def _switched_on(cursor: Cursor, table: Properties) -> Setting | None:
    start = cursor.at
    named = cursor.phrase(table.named)
    return Setting(named, True, cursor.said(start)) if named is not None and named.kind == "bool" else None


def _value_first(cursor: Cursor, table: Properties) -> Setting | None:
    start = cursor.at
    quantity = cursor.quantity()
    named = cursor.phrase(table.named) if quantity is not None else None
    if quantity is None or named is None or named.kind not in {"int", "number", "factor", "length", "angle"}:
        return None
    return Setting(named, _checked(named, quantity), cursor.said(start))


def _choice_first(cursor: Cursor, table: Properties) -> Setting | None:
    """ "voxel mode": an item of an enum before its name."""
    start = cursor.at
    for entry in table.choices:
        cursor.at = start
        item = cursor.phrase(entry.choice)
        if item is not None and cursor.phrase(table.named) is entry:
            return Setting(entry, item, cursor.said(start))
    return None


def _axis(cursor: Cursor, table: Properties) -> Setting | None:
    """ "on the X axis", "axis X", "X and Y axes"."""
    if table.axis is None:
        return None
    start = cursor.at
    before = cursor.says("along")
    cursor.says("reference")
    named = cursor.says("axis")
    if named:
        _link(cursor)
    axes = _axes(cursor, several=table.axis.kind == "axes")
    after = cursor.says("axis")
    if not axes or not (before or named or after):
        return None
    value: Value = "XYZ"[axes[0]] if table.axis.kind == "axis" else (0 in axes, 1 in axes, 2 in axes)
    return Setting(table.axis, value, cursor.said(start))


def _axes(cursor: Cursor, *, several: bool) -> list[int]:
    """ "X", "X, Y and Z": moves past the last axis only."""
    axes: list[int] = []
    end = cursor.at
    while (axis := cursor.phrase(cursor.lexicon.axes)) is not None:
        axes.append(axis)
        end = cursor.at
        if not several or not (cursor.mark(",") | cursor.says("and")):
            break
    cursor.at = end
    return axes


def _name_first(cursor: Cursor, table: Properties) -> Setting | None:
    start = cursor.at
    named = cursor.phrase(table.named)
    if named is None:
        return None
    linked = _link(cursor)
    value = _value(cursor, named)
    if value is None and named.kind == "bool" and not linked:
        value = True
    if value is None and not linked and cursor.lexicon.finishes.match(cursor.tokens, start):
        return None  # "metallic" is a number of the shader, and a word for a look
    if value is None:
        raise cursor.refuse(f"a value for it was expected ({_expected(named)})", start)
    return Setting(named, value, cursor.said(start))


def _link(cursor: Cursor) -> bool:
    return cursor.mark("=:") or cursor.says("value_link")


def _expected(named: Property) -> str:
    return ", ".join(named.choices) or _EXPECTED[named.kind]


def _value(cursor: Cursor, named: Property) -> Value | None:
    match named.kind:
        case "bool":
            return cursor.phrase(cursor.lexicon.switches)
        case "choice":
            return cursor.phrase(named.choice)
        case "angles":
            return _turn(cursor, named) or _vector(cursor, named)
        case "scales":
            return _vector(cursor, named) or _evenly(cursor, named)
        case "numbers" | "lengths":
            return _vector(cursor, named)
        case _:
            quantity = cursor.quantity()
            return None if quantity is None else _checked(named, quantity)


def place_here(cursor: Cursor) -> Vector | None:
    """Take "(0, 0, 2)", "the origin", "location (0, 0, 2)"."""
    location = cursor.lexicon.location
    if cursor.phrase(cursor.lexicon.placing.named) not in (None, location):
        return None
    return _vector(cursor, location)


def _vector(cursor: Cursor, named: Property) -> Vector | None:
    if named.kind == "lengths":
        point = cursor.phrase(cursor.lexicon.points)
        if point is not None:
            return (point[0], point[1], point[2])
    parts = cursor.quantities()
    if parts is None:
        return None
    x, y, z = (_number(named, part) for part in parts)
    return (x, y, z)


def _evenly(cursor: Cursor, named: Property) -> Vector | None:
    quantity = cursor.quantity()
    if quantity is None:
        return None
    factor = _number(named, quantity)
    return (factor, factor, factor)


def _turn(cursor: Cursor, named: Property) -> Vector | None:
    """ "45 degrees around the Z axis"."""
    return cursor.attempt(lambda: _turned(cursor, named))


def _turned(cursor: Cursor, named: Property) -> Vector | None:
    quantity = cursor.quantity()
    if quantity is None or not cursor.says("along"):
        return None
    cursor.says("reference")
    axis = cursor.phrase(cursor.lexicon.axes)
    if axis is None:
        return None
    cursor.says("axis")
    angle = _number(named, quantity)
    return (angle if axis == 0 else 0.0, angle if axis == 1 else 0.0, angle if axis == 2 else 0.0)


def _checked(named: Property, quantity: Quantity) -> Value:
    number = _number(named, quantity)
    if named.kind == "int":
        if not number.is_integer():
            raise _out_of_range(named, quantity, "takes a whole number")
        return int(number)
    return Degrees(number) if named.kind == "angle" else number


def _number(named: Property, quantity: Quantity) -> float:
    """The number in metres, degrees or parts of one, within the limits of the property."""
    wanted = _UNIT_OF.get(named.kind)
    if quantity.unit is not None and quantity.unit.of != wanted:
        raise _out_of_range(named, quantity, "does not take this unit")
    if wanted == "length" and quantity.inches:
        raise NotUnderstood(
            [f"{quantity.text} in"],
            f'"{quantity.text} in": inches, or the word in? Say {quantity.text} m or inches',
        )
    if wanted == "angle" and quantity.unit is None and quantity.number != 0.0:
        raise _out_of_range(named, quantity, "is an angle: say degrees or radians")
    number = quantity.number * (quantity.unit.size if quantity.unit else 1.0) * named.scale
    # A product such as 3 * 0.01 would show as 0.03 with a tail of digits.
    number = float(f"{number:.9g}")
    low, high = named.min, named.max
    if (low is not None and number < low) or (high is not None and number > high):
        raise _out_of_range(named, quantity, f"takes {_limits(low, high)}")
    if named.above is not None and number <= named.above:
        raise _out_of_range(named, quantity, f"takes more than {named.above:g}")
    return number


def _limits(low: float | None, high: float | None) -> str:
    if high is None:
        return f"at least {low:g}"
    return f"at most {high:g}" if low is None else f"{low:g} to {high:g}"


def _out_of_range(named: Property, quantity: Quantity, why: str) -> ValueOutOfRange:
    name = named.words[0] if named.words else named.attributes[0]
    return ValueOutOfRange([quantity.text], f'"{quantity.text}": {name} {why}')

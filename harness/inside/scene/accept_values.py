"""Compares values of properties with those that acceptance checks want, and words the differences."""

from __future__ import annotations

import functools
import math
import re
from typing import Any, cast

import bpy
import mathutils

from harness.inside.scene.settings import plain
from harness.inside.scene.value_paths import LINKED_FROM, PART_NAMES, STEP, SUBSCRIPT

PARTED = (mathutils.Matrix, mathutils.Vector, mathutils.Euler, mathutils.Quaternion, mathutils.Color)
BLENDERS_OWN = ("bpy_types", "_bpy_types")
"""The module of Blender that adds attributes to its types, by its old and its new name."""


class ClaimedPaths:
    """Paths whose values only the process that ran the snippet could see; `unseen` are those that were asked here."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = set(paths)
        self.unseen: set[str] = set()


NOTHING_CLAIMED = ClaimedPaths([])


class TriedPaths:
    """The paths that the check under way tried: `resolved` led somewhere, `missing` to a name that no such type has,
    with the reason. Those in `ignored` are not tried again.
    """

    def __init__(self) -> None:
        self.resolved: set[str] = set()
        self.missing: dict[str, str] = {}
        self.ignored: set[str] = set()

    def begin(self, ignored: set[str] | None = None) -> None:
        """Forget what was tried."""
        self.resolved, self.missing, self.ignored = set(), {}, ignored or set()

    def never_there(self) -> dict[str, str]:
        """The paths that led nowhere, whatever thing was tried, with the reasons."""
        return {path: why for path, why in self.missing.items() if path not in self.resolved}


TRIED = TriedPaths()
"""Of this process, which makes one check at a time."""


def mismatches_of_values(
    owner: Any, values: dict[str, Any], near: float, claimed: ClaimedPaths = NOTHING_CLAIMED
) -> list[str]:
    """Properties that are missing or hold another value, except those missing here whose value is claimed."""
    wrong: list[str] = []
    for path, wanted in values.items():
        if path in TRIED.ignored:
            continue
        try:
            mismatch = mismatch_of_value(owner, path, wanted, near)
            TRIED.resolved.add(path)
        except Exception:
            # The exception of a wrong path depends on where the path goes wrong.
            if path in claimed.paths:
                claimed.unseen.add(path)
                continue
            mismatch = None if wanted is None and only_missing(owner, path) else f"it has no property {path}"
            if path not in TRIED.resolved and (why := unknown_name(owner, path)):
                TRIED.missing.setdefault(path, f"it has no property {path}: {why}")
            else:
                TRIED.resolved.add(path)
        wrong += [mismatch] if mismatch else []
    return wrong


def mismatch_of_value(owner: Any, path: str, wanted: Any, near: float) -> str | None:
    """The difference of one property, or None; raises an exception if there is none at the path."""
    raw: Any = linked_from(owner, path) if path.endswith(LINKED_FROM) else value_at(owner, path)
    if isinstance(raw, (bpy.types.bpy_prop_collection, tuple)) and is_amount(wanted):
        seen: Any = len(raw)
    else:
        seen = plain(raw)
    if isinstance(raw, set) and isinstance(wanted, list):
        wanted = sorted(str(item) for item in items(wanted))
    if isinstance(raw, mathutils.Quaternion) and fits(opposite(raw), wanted, near):
        return None
    last = steps(path)[-1]
    if fits(seen, wanted, near, colour="color" in last or last == "default_value"):
        return None
    if isinstance(seen, str) and isinstance(wanted, str) and is_the_item(owner, path, seen, wanted):
        return None
    return f"{path} is {shown(seen)}, not {shown(wanted)}"


def value_at(owner: Any, path: str) -> Any:
    """The value at a path, as Python reads it; raises an exception if there is none.

    RNA alone knows no parts of matrices and vectors, and takes the subscripts of a matrix the other way round.
    """
    *heads, _ = STEP.finditer(path)
    for head in heads:
        try:
            value = owner.path_resolve(path[: head.end()])
        except ValueError:
            break
        if isinstance(value, PARTED):
            for step in steps(path[head.end() :]):
                value = value[int(step[1:-1])] if step.startswith("[") else part_of(value, step)
            return value
    try:
        return owner.path_resolve(path)
    except ValueError:
        return computed(owner, path)


def computed(owner: Any, path: str) -> Any:
    """A value that Blender's own Python computes, such as `users_collection`; raises ValueError for anything else.

    These attributes are no RNA properties. The classes of others may have some too; those are not called.
    """
    holder, name = holder_of(owner, path), steps(path)[-1]
    attribute = next((vars(cls)[name] for cls in type(holder).__mro__ if name in vars(cls)), None)
    if not isinstance(attribute, property) or getattr(attribute.fget, "__module__", None) not in BLENDERS_OWN:
        raise ValueError(path)
    return getattr(holder, name)


def part_of(value: Any, name: str) -> Any:
    """A part of a matrix or a vector; raises ValueError for anything else, such as the result of a method."""
    if name not in PART_NAMES:
        raise ValueError(name)
    return getattr(value, name)


def opposite(quaternion: Any) -> list[float]:
    """The same turn, written the other way round."""
    return [-part for part in quaternion]


def steps(path: str) -> list[str]:
    """The names and subscripts of a path."""
    return STEP.findall(path)


def head_of(path: str) -> str:
    """The path of the owner of the last property in a path; empty for the thing itself."""
    last = steps(path)[-1]
    return path[: -len(last)].rstrip(".")


def holder_of(owner: Any, path: str) -> Any:
    """The owner of the last property in a path; raises ValueError if there is none."""
    head = head_of(path)
    return owner.path_resolve(head) if head else owner


def only_missing(owner: Any, path: str) -> bool:
    """True if a path fails at its last subscript alone, such as an item of a list or a custom property."""
    if not SUBSCRIPT.fullmatch(steps(path)[-1]):
        return False
    try:
        return holder_of(owner, path) is not None
    except Exception:
        return False


def unknown_name(owner: Any, path: str) -> str:
    """The reason why a path can lead nowhere: its type, and all types of that family, have no property of a name in it.

    Empty if they have, if something on the way is only missing here, or if the first name may be registered later.
    """
    holder, done = owner, ""
    for step in steps(path.removesuffix(LINKED_FROM)):
        if not isinstance(holder, bpy.types.bpy_struct):
            return ""
        if done and not step.startswith("[") and not is_known(cast("Any", type(holder)), step):
            return f"{type(holder).__name__} has no {step}"
        done += step if step.startswith("[") or not done else f".{step}"
        try:
            holder = owner.path_resolve(done)
        except ValueError:
            return ""
    return ""


@functools.cache
def is_known(cls: Any, name: str) -> bool:
    """True if a type of this family has this property, or a Python attribute of this name."""
    return any(name in one.bl_rna.properties or hasattr(one, name) for one in family_of(cls))


@functools.cache
def family_of(cls: Any) -> list[Any]:
    """The type and all that share its base below the most general one, such as all modifiers, or all data blocks."""
    root = [one for one in cls.__mro__ if issubclass(one, bpy.types.bpy_struct) and one is not bpy.types.bpy_struct][-1]
    # The classes of Blender's types are made when they are first asked for.
    known = (getattr(bpy.types, name) for name in dir(bpy.types))
    return [one for one in known if isinstance(one, type) and issubclass(one, root)]


def is_the_item(owner: Any, path: str, seen: str, wanted: str) -> bool:
    """True if `wanted` is the item of an enumeration in another case, or its label."""
    holder = holder_of(owner, path)
    prop = holder.bl_rna.properties.get(steps(path)[-1]) if hasattr(holder, "bl_rna") else None
    if prop is None or prop.type != "ENUM":
        return False
    item = prop.enum_items.get(seen)
    return wanted.casefold() in {seen.casefold(), item.name.casefold() if item else ""}


def linked_from(owner: Any, path: str) -> str | None:
    """The node and output that an input of a node is linked to."""
    socket = owner.path_resolve(path[: -len(LINKED_FROM)])
    return next((f"{link.from_node.name}.{link.from_socket.name}" for link in socket.links), None)


def fits(seen: Any, wanted: Any, near: float, colour: bool = False) -> bool:
    """True if a value is the wanted one; numbers within `near`, as a share of it for those above 1.

    A colour may leave out its alpha, or be given as "#rrggbb".
    """
    if isinstance(wanted, dict):
        return is_within(seen, dict(bounds_of(wanted)), near)
    if isinstance(wanted, bool) or isinstance(seen, bool):
        return seen in (0, 1) and wanted in (0, 1) and bool(seen) == bool(wanted)
    if isinstance(wanted, (int, float)):
        return isinstance(seen, (int, float)) and abs(seen - wanted) <= near * max(1.0, abs(wanted))
    if colour and isinstance(wanted, str):
        wanted, near = linear(wanted), max(near, 0.005)
    if isinstance(wanted, list):
        parts = items(seen)
        whole = parts[:3] if colour and len(parts) == 4 and len(items(wanted)) == 3 else parts
        return len(whole) == len(items(wanted)) and all(map(fits, whole, items(wanted), [near] * len(whole)))
    return bool(seen == wanted)


def is_amount(wanted: Any) -> bool:
    """True if a check wants a number of items of a list."""
    return isinstance(wanted, (int, dict)) and not isinstance(wanted, bool)


def is_within(seen: Any, bounds: dict[str, float], near: float) -> bool:
    """True if a value is a number that is within bounds, or beyond them by `near` at most."""
    if isinstance(seen, bool) or not isinstance(seen, (int, float)):
        return False
    low, high = bounds.get("at_least", seen), bounds.get("at_most", seen)
    return low - near * max(1.0, abs(low)) <= seen <= high + near * max(1.0, abs(high))


def fits_open(seen: list[Any], wanted: list[Any], near: float) -> bool:
    """True if the numbers of a vector are the wanted ones, apart from those that are left open by None."""
    return all(number is None or fits(there, number, near) for there, number in zip(seen, wanted, strict=True))


def same_within(before: Any, after: Any, near: float) -> bool:
    """True if a fact is what it was, apart from fractions that differ by `near`: these are computed anew."""
    if isinstance(before, dict) and isinstance(after, dict):
        then, now = cast("dict[str, Any]", before), cast("dict[str, Any]", after)
        return then.keys() == now.keys() and all(same_within(then[name], now[name], near) for name in then)
    if isinstance(before, list) and isinstance(after, list):
        pairs = list(zip(items(before), items(after), strict=False))
        return len(items(before)) == len(items(after)) and all(same_within(*pair, near) for pair in pairs)
    if isinstance(before, float) and isinstance(after, float):
        return abs(after - before) <= near * max(1.0, abs(before))
    return bool(before == after)


def linear(said: str) -> Any:
    """The linear colour of "#rrggbb"; any other text as it is."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", said):
        return said
    shares = [int(said[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]


def items(value: Any) -> list[Any]:
    """The parts of a list; an empty list for any other value."""
    return cast("list[Any]", value) if isinstance(value, list) else []  # type: ignore[redundant-cast]


def turned_alike(seen: list[float | None], wanted: list[float], near: float) -> bool:
    """True if two Euler rotations are the same turn: half a circle about x equals half a circle about both y and z."""
    angles = [angle for angle in seen if angle is not None]
    if len(angles) != 3:
        return False
    turn = mathutils.Euler(angles).to_quaternion().rotation_difference(mathutils.Euler(wanted).to_quaternion())
    return bool(min(turn.angle, abs(2 * math.pi - turn.angle)) <= max(near, 1e-3))


def mismatch_of_amount(title: str, seen: int, wanted: int | dict[str, int]) -> list[str]:
    """The mismatch of a number that must be exact or within bounds."""
    bounds = wanted if isinstance(wanted, dict) else {"at_least": wanted, "at_most": wanted}
    low, high = bounds.get("at_least", 0), bounds.get("at_most", seen)
    if low <= seen <= high:
        return []
    said = shown(low) if low == high else f"at least {low}" if seen < low else f"at most {high}"
    return [f"{title} {seen}, not {said}"]


def bounds_of(value: Any) -> list[tuple[str, float]]:
    """The bounds of a range, by name."""
    return list(cast("dict[str, float]", value).items())


def open_shown(value: list[Any]) -> str:
    """A vector in words, with open numbers as `any`."""
    return f"({', '.join('any' if number is None else shown(number) for number in value)})"


def shown(value: Any) -> str:
    """A value in words, with numbers in their shortest form."""
    if isinstance(value, list):
        return f"({', '.join(shown(item) for item in items(value))})"
    if isinstance(value, dict):
        return " and ".join(f"{name.replace('_', ' ')} {bound:g}" for name, bound in bounds_of(value))
    return f"{value:g}" if isinstance(value, float) else str(value)

"""Items of values: those that iterating gives, and the one under a key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.reading.api.values import UNKNOWN, Coll, Lit, Many, Plain, PyObject, Seq, Value, constant, join, options
from app.reading.remark import Fault
from app.reading.usage.fits import Judge
from app.reading.usage.node_trees import SOCKETS, node_by_name, socket


@dataclass(frozen=True)
class ItemLookup:
    """Looks items up."""

    judge: Judge

    def each(self, value: Value) -> Value:
        """The items that iterating over a value gives."""
        items: list[Value] = []
        for option in options(value):
            match option:
                case Coll(of=of) | Many(of=of):
                    items.append(of)
                case Seq(elements=elements) if elements:
                    items.append(join(elements))
                case PyObject():
                    items.append(self.judge.api.python.item_of(option))
                case _:
                    return UNKNOWN
        return join(items)

    def at(self, owner: Value, key: Value) -> tuple[Value, Fault | None]:
        """The value of `owner[key]`, and its fault."""
        match owner:
            case Coll(type=kind) if kind in SOCKETS:
                return socket(self.judge.api, self.judge.survey, self.judge.removals, owner, key)
            case _:
                return self._at(owner, key), None

    def _at(self, owner: Value, key: Value) -> Value:
        match owner:
            case Coll(type="Nodes", owner=tree) if isinstance(key, Lit) and key.kind == "str":
                return node_by_name(self.judge.api, self.judge.survey, tree, str(key.value))
            case Coll(of=of) | Many(of=of):
                return of
            case Seq(elements=elements):
                index = int(key.value) if isinstance(key, Lit) and key.kind == "int" else len(elements)
                return elements[index] if -len(elements) <= index < len(elements) else join(elements)
            case PyObject(home="bmesh.types"):
                return self.judge.api.python.item_of(owner)
            case PyObject(home="mathutils", name="Vector" | "Euler" | "Quaternion" | "Color"):
                return Plain("float")
            case _:
                return UNKNOWN

    def get(self, owner: Coll, key: Value, default: Value | None) -> Value:
        """The value of `owner.get(key, default)`. A missing key gives None, so that nothing is wrong."""
        if owner.type in SOCKETS:
            value, fault = socket(self.judge.api, self.judge.survey, self.judge.removals, owner, key)
            return value if fault is None else UNKNOWN
        if owner.type == "Nodes" and isinstance(key, Lit) and key.kind == "str":
            return node_by_name(self.judge.api, self.judge.survey, owner.owner, str(key.value))
        return join([owner.of] if default is None else [owner.of, default])


def slice_of(owner: Value, bounds: Sequence[Value | None]) -> Value:
    """The slice of a value by its lower bound, its upper bound and its step; None for one that is left out."""
    match owner:
        case Seq(kind=kind, elements=elements):
            known = [None if bound is None else constant(bound) for bound in bounds]
            if any(bound is not None and number is None for bound, number in zip(bounds, known, strict=True)):
                return UNKNOWN
            try:
                return Seq(kind, elements[slice(*(number[0] if number else None for number in known))])
            except (TypeError, ValueError):
                return UNKNOWN
        case Coll(of=of) | Many(of=of):
            return Many(of)
        case _:
            return UNKNOWN

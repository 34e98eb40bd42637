"""The values that an expression can have, as far as the syntax and the manifest show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal


@dataclass(frozen=True)
class Unknown:
    """Nothing is known."""


@dataclass(frozen=True)
class Lit:
    """One plain value that is written in the snippet. `kind` distinguishes True, 1 and 1.0."""

    value: Any
    kind: str


@dataclass(frozen=True)
class Plain:
    """Some value of a plain Python type: str, int, float or bool."""

    kind: str


@dataclass(frozen=True)
class EnumOf:
    """The current value of an enumeration."""

    type: str
    name: str


@dataclass(frozen=True)
class Rna:
    """Something of an RNA type or, unless `exact`, of a type below it. Not `sure` if it is only likely."""

    type: str
    exact: bool = False
    sure: bool = True


@dataclass(frozen=True)
class RnaClass:
    """A class of `bpy.types` itself."""

    type: str


@dataclass(frozen=True)
class Coll:
    """A collection of `of`. `type` is its own type, if it has one; it belongs to `owner`."""

    of: Value
    type: str
    owner: Value
    name: str


@dataclass(frozen=True)
class Many:
    """A Python list, set or tuple of unknown length."""

    of: Value


@dataclass(frozen=True)
class Seq:
    """A tuple, list or set whose elements are written out."""

    kind: Literal["tuple", "list", "set"]
    elements: tuple[Value, ...]


@dataclass(frozen=True)
class Mod:
    """A module, or an object in its place, such as `bpy.ops.mesh`."""

    name: str


@dataclass(frozen=True)
class Op:
    """An operator."""

    name: str


@dataclass(frozen=True)
class Method:
    """A function of an RNA type, bound to its owner."""

    type: str
    name: str
    owner: Value


@dataclass(frozen=True)
class PyMember:
    """A function or class that Python sees outside RNA: `path` leads to it from a module or RNA type."""

    home: str
    path: tuple[str, ...]
    owner: Value


@dataclass(frozen=True)
class PyObject:
    """An instance of a class of a module, such as `mathutils.Vector`."""

    home: str
    name: str


@dataclass(frozen=True)
class OwnFunction:
    """A function of the snippet, by its name: no other function has it."""

    name: str


@dataclass(frozen=True)
class OwnClass:
    """A class of the snippet that derives from an RNA type, or from `object`."""

    type: str
    name: str


@dataclass(frozen=True)
class OwnSelf:
    """An instance of such a class. Of a class elsewhere only the type is known."""

    type: str
    name: str = ""


@dataclass(frozen=True)
class OperatorCall:
    """The arguments that a button or a key gives to the operator that it calls: `layout.operator(...)` returns them."""

    operator: str


@dataclass(frozen=True)
class Builtin:
    """A function of Python itself."""

    name: str


@dataclass(frozen=True)
class Either:
    """One of several."""

    options: frozenset[Value]


Value = (
    Unknown | Lit | Plain | EnumOf | Rna | RnaClass | Coll | Many | Seq | Mod | Op | Method | PyMember | PyObject
    | OwnFunction | OwnClass | OwnSelf | OperatorCall | Builtin | Either
)  # fmt: skip

UNKNOWN: Final = Unknown()
NOTHING: Final = Lit(None, "NoneType")

_MOST_OPTIONS: Final = 12


def literal(value: Any) -> Lit:
    return Lit(value, type(value).__name__)


def options(value: Value) -> tuple[Value, ...]:
    """The alternatives of the value, without None if there are others: only a run shows whether it is None."""
    if not isinstance(value, Either):
        return (value,)
    return tuple(option for option in value.options if option != NOTHING)


def join(values: Iterable[Value]) -> Value:
    """The value of a name that holds one of these."""
    possible: set[Value] = set()
    for value in values:
        possible.update(value.options if isinstance(value, Either) else (value,))
    if not possible or UNKNOWN in possible or len(possible) > _MOST_OPTIONS:
        return UNKNOWN
    return possible.pop() if len(possible) == 1 else Either(frozenset(possible))


def instance_of(value: Value) -> Value:
    """An instance of a class."""
    match value:
        case RnaClass(type=type_name):
            return Rna(type_name)
        case OwnClass(type=type_name, name=name):
            return OwnSelf(type_name, name)
        case _:
            return UNKNOWN


def constant(value: Value) -> tuple[Any] | None:
    """The Python value in a tuple of one, if the snippet determines it."""
    if isinstance(value, Lit):
        return (value.value,)
    if isinstance(value, Seq) and value.kind == "tuple":
        parts = [constant(element) for element in value.elements]
        return (tuple(part[0] for part in parts if part),) if all(parts) else None
    return None

"""Things: the meanings of values."""

from __future__ import annotations

import dataclasses
from typing import Any

from codebase.graph.outline.outline_values import Value


@dataclasses.dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Class:
    """A class of the repository."""

    path: str
    name: str


@dataclasses.dataclass(frozen=True, slots=True)
class FunctionThing:
    """A function or method of the repository, by the local number of its unit."""

    path: str
    unit: int
    name: str


@dataclasses.dataclass(frozen=True, slots=True)
class ModuleThing:
    """A module of the repository."""

    path: str


@dataclasses.dataclass(frozen=True, slots=True)
class Outside:
    """Anything outside of the repository with this dotted name: `bpy.types.Panel`, `str`."""

    dotted: str


@dataclasses.dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class."""

    of: Class | Outside


@dataclasses.dataclass(frozen=True, slots=True)
class CollectionThing:
    """A collection of such objects, for iterations and subscripts."""

    of: Class | Outside


@dataclasses.dataclass(frozen=True, slots=True)
class ParameterThing:
    """Any argument for a parameter of this name."""

    name: str


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class CallThing:
    """The result of a call outside of the repository; `value` is the whole call, in the text at `path`."""

    path: str
    dotted: str
    value: list[Any]


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class ItemsThing:
    """A tuple, list or set that is written out in the text at `path`, with the lines of its items."""

    path: str
    items: list[tuple[int, Value]]


@dataclasses.dataclass(frozen=True, eq=False, slots=True)
class Pairs:
    """A dict that is written out: key, line, value."""

    path: str
    items: list[tuple[str, int, Value]]


Thing = (
    Text
    | Class
    | FunctionThing
    | ModuleThing
    | Outside
    | Instance
    | CollectionThing
    | ParameterThing
    | CallThing
    | ItemsThing
    | Pairs
)
Things = tuple[Thing, ...]

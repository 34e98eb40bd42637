"""A symbol: one entry of the Blender API reference, from the published pages or from a build."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Literal

Kind = Literal["module", "class", "attribute", "method", "function", "operator", "data"]


@dataclasses.dataclass(frozen=True)
class SymbolParameter:
    """One argument of a callable."""

    name: str
    type: str = ""
    default: str = ""
    description: str = ""


@dataclasses.dataclass(frozen=True)
class Item:
    """One item of an enumeration: the string that a script writes, and its name in the user interface."""

    identifier: str
    name: str = ""
    description: str = ""


@dataclasses.dataclass(frozen=True)
class Symbol:
    """One entry of the reference.

    `address` is the dotted path a script or the reference uses, such as `bpy.types.SubsurfModifier.levels`, and is
    unique within one reference. A member belongs to the class that declares it, not to those that inherit it.
    """

    address: str
    kind: Kind
    label: str = ""
    """Its name in the user interface, such as "Subdivision Surface"."""
    aliases: tuple[str, ...] = ()
    """Its other names, such as SUBSURF, the string that makes a SubsurfModifier."""
    signature: str = ""
    """Of a callable: the arguments in brackets, in the form of a script."""
    description: str = ""
    type: str = ""
    """Of an attribute or data: its values, with range and default; of a callable: its result."""
    readonly: bool = False
    parameters: tuple[SymbolParameter, ...] = ()
    items: tuple[Item, ...] = ()
    bases: tuple[str, ...] = ()
    """Addresses of the base classes, nearest first."""
    example: str = ""
    """Example code from the reference, if there is any."""
    page: str = ""
    """Web address of the entry with its anchor; empty if it was read from a build."""
    see_also: tuple[str, ...] = ()
    """Addresses of its neighbours: owner, types that it returns or holds, siblings."""

    @property
    def owner(self) -> str:
        """Address of the class or module that it belongs to."""
        return self.address.rpartition(".")[0]

    @property
    def leaf(self) -> str:
        """The last part of the address."""
        return self.address.rpartition(".")[2]

    def to_json(self) -> str:
        """The symbol as one line of JSON for `symbol_from_json`; empty fields are left out."""
        return json.dumps({name: value for name, value in dataclasses.asdict(self).items() if value})


def symbol_from_json(text: str) -> Symbol:
    """The symbol from the line of `Symbol.to_json`."""
    fields: dict[str, Any] = json.loads(text)
    for name, part in (("parameters", SymbolParameter), ("items", Item)):
        fields[name] = tuple(part(**entry) for entry in fields.get(name, ()))
    for name in ("aliases", "bases", "see_also"):
        fields[name] = tuple(fields.get(name, ()))
    return Symbol(**fields)

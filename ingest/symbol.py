"""A symbol: one entry of the Blender API reference, wherever it was read, from the published pages or from a build."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, Final, Literal

Kind = Literal["module", "class", "attribute", "method", "function", "operator", "data"]

KINDS: Final[tuple[Kind, ...]] = ("module", "class", "attribute", "method", "function", "operator", "data")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One argument of something that is called."""

    name: str
    type: str = ""
    default: str = ""
    description: str = ""


@dataclasses.dataclass(frozen=True)
class Item:
    """One item of an enumeration: the string a script writes, and how the user interface calls it."""

    identifier: str
    name: str = ""
    description: str = ""


@dataclasses.dataclass(frozen=True)
class Symbol:
    """One entry of the reference.

    `address` is the dotted path a script or the reference uses, such as `bpy.types.SubsurfModifier.levels`, and is
    unique within one reference. A member stands under the class that declares it, not under those that inherit it.
    """

    address: str
    kind: Kind
    label: str = ""
    """How the user interface calls it, such as "Subdivision Surface"."""
    aliases: tuple[str, ...] = ()
    """Other names it goes by, such as SUBSURF, the string that makes a SubsurfModifier."""
    signature: str = ""
    """Of something that is called: the arguments in brackets, as a script would write them."""
    description: str = ""
    type: str = ""
    """Of an attribute or data: what it holds, with range and default; of something that is called: what it returns."""
    readonly: bool = False
    parameters: tuple[Parameter, ...] = ()
    items: tuple[Item, ...] = ()
    bases: tuple[str, ...] = ()
    """Addresses of the base classes, the nearest first."""
    example: str = ""
    """Python that shows it in use, where the reference has some."""
    page: str = ""
    """Web address of the entry with its anchor; empty where it was read from a build."""
    see_also: tuple[str, ...] = ()
    """Addresses of its neighbours: owner, types it returns or holds, siblings."""

    @property
    def owner(self) -> str:
        """Address of the class or module it stands under."""
        return self.address.rpartition(".")[0]

    @property
    def leaf(self) -> str:
        """The last part of the address."""
        return self.address.rpartition(".")[2]

    def to_json(self) -> str:
        """The symbol as one line of JSON that `symbol_from_json` reads back; empty fields are left out."""
        return json.dumps({name: value for name, value in dataclasses.asdict(self).items() if value})


def symbol_from_json(text: str) -> Symbol:
    """The symbol written by `Symbol.to_json`."""
    fields: dict[str, Any] = json.loads(text)
    for name, part in (("parameters", Parameter), ("items", Item)):
        fields[name] = tuple(part(**entry) for entry in fields.get(name, ()))
    for name in ("aliases", "bases", "see_also"):
        fields[name] = tuple(fields.get(name, ()))
    return Symbol(**fields)

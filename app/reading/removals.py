"""Faults of names that older Blenders had and this one has not, by the book of changes.

An entry counts only if the name is missing in this build, and only if the build is not older than the change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from app.reading.remark import Fault
from ingest.book import Book, BookRow, parts_of


@dataclass(frozen=True)
class Removals:
    """The rows up to this build, as faults."""

    book: Book

    @classmethod
    def for_version(cls, version: tuple[int, ...]) -> Self:
        return cls(Book.for_version(version))

    def entry(self, *addresses: str, symbol: str | None = None) -> Fault | None:
        """The fault of a name that this build lacks, from the first of these addresses that is listed.

        `symbol` is the subject of the remark, if that is not the address itself.
        """
        found = self.book.find(*(address for address in addresses if address))
        if found is None:
            return None
        address, row = found
        message = f"`{_spoken(address)}` is gone since Blender {row.since}"
        return Fault("removed", message, advice_of(address, row), symbol or _symbol(address))

    def successor(self, address: str) -> str | None:
        """The address that has the place of a type, a member or an operator, if it is one with a plain name."""
        found = self.book.find(address)
        kind, owner, _ = parts_of(address)
        name = found[1].becomes if found else ""
        if not name.replace(".", "").isidentifier() or kind not in {"member", "class", "operator"}:
            return None
        return f"bpy.types.{owner}.{name}" if kind == "member" else f"bpy.{'ops' if '.' in name else 'types'}.{name}"


def advice_of(address: str, row: BookRow) -> str:
    """The advice on an address: one sentence."""
    advice = row.advice or _by_new_name(address, row)
    if not advice:
        return "Delete it: nothing has its place." if row.drop else "Nothing has its place."
    return advice if advice[:1].isupper() else f"Use {advice}."


def _by_new_name(address: str, row: BookRow) -> str:
    kind, owner, name = parts_of(address)
    new = row.becomes
    if not new:
        return ""
    if kind == "argument":
        return f"`{new}=`"
    if kind == "item":
        return f"`{new!r}`"
    if kind == "socket":
        return f"`{owner.rpartition('.')[2]}[{new!r}]`"
    where = {"operator": "bpy.ops.", "class": "bpy.types."}.get(kind, "")
    if kind == "module":
        where = address.removesuffix(name.rpartition(".")[2]) if "." not in new else ""
    return f"`{where}{new}`"


def _spoken(address: str) -> str:
    return address.removeprefix("bpy.types.").removeprefix("node ").removeprefix("*")


def _symbol(address: str) -> str:
    """The address without the last part that names an argument, an item or a socket."""
    for mark in ("(", "='", "["):
        address = address.partition(mark)[0]
    return address

"""Reads `objects.inv`: Sphinx's list of everything that its pages describe."""

from __future__ import annotations

import dataclasses
import re
import zlib
from typing import Final

import sphobjinv

SIGNATURE: Final = b"# Sphinx inventory version "
HEADER_LINES: Final = 4

MAX_INVENTORY_BYTES: Final = 16 * 1024 * 1024
"""Size of the file. Blender 4.4 has 174 kB, and 2 MB when unpacked."""
MAX_UNPACKED_BYTES: Final = 64 * 1024 * 1024

_VERSION: Final = re.compile(r"\d+\.\d+(?:\.\d+)*")
_GET_ANOTHER: Final = "Give the address or folder of a complete Blender Python API reference."


class InventoryInvalid(Exception):
    """The inventory cannot be used. The message says what it contains and what to do."""


@dataclasses.dataclass(frozen=True)
class InventoryEntry:
    """One object of the inventory: `name` is described at `anchor` of `page`."""

    name: str
    domain: str
    role: str
    page: str
    """The page's address relative to the inventory, such as `bpy.types.Bone.html`."""
    anchor: str
    """Empty if the entry is the whole page."""

    @property
    def is_python(self) -> bool:
        return self.domain == "py"


@dataclasses.dataclass(frozen=True)
class Inventory:
    """The contents of one `objects.inv`."""

    project: str
    version: str
    """The version in the inventory: the series, such as 4.4."""
    entries: tuple[InventoryEntry, ...]
    unreadable: tuple[str, ...] = ()
    """Lines that are not entries."""

    @property
    def blender_version(self) -> str:
        """The most exact version that the inventory has, such as 4.4.3, from the project's name."""
        found = _VERSION.search(self.project)
        return found.group() if found and found.group().startswith(self.version) else self.version


def read_inventory(content: bytes) -> Inventory:
    """The inventory of a Blender reference. Raises InventoryInvalid."""
    header, body = _split(content)
    text = _unpack(body)
    read = _parse(b"".join(header) + text)
    entries = tuple(_entry(found) for found in read.objects)
    inventory = Inventory(read.project, read.version, entries, _unreadable(text, entries))
    _check_is_blender(inventory)
    return inventory


def _split(content: bytes) -> tuple[list[bytes], bytes]:
    """The header's lines and the compressed rest."""
    if len(content) > MAX_INVENTORY_BYTES:
        raise InventoryInvalid(
            f"The inventory has {len(content):,} bytes, more than the limit of {MAX_INVENTORY_BYTES:,}."
        )
    if not content.startswith(SIGNATURE):
        seen = content[:40].decode("utf-8", "replace").strip()
        raise InventoryInvalid(f"This is not a Sphinx inventory: it begins with {seen!r}. {_GET_ANOTHER}")
    if not content.startswith(SIGNATURE + b"2"):
        seen = content.splitlines()[0].decode("utf-8", "replace")
        raise InventoryInvalid(f"Only Sphinx inventories of version 2 can be read; this one says {seen!r}.")
    lines = content.split(b"\n", HEADER_LINES)
    if len(lines) <= HEADER_LINES:
        raise InventoryInvalid(f"The inventory ends in its header, after {len(content)} bytes. {_FETCH_AGAIN}")
    return [line.rstrip(b"\r") + b"\n" for line in lines[:HEADER_LINES]], lines[HEADER_LINES]


_FETCH_AGAIN: Final = "The download was cut off: fetch it again."


def _unpack(body: bytes) -> bytes:
    # sphobjinv would unpack without a limit, and accept a cut stream as complete.
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(body, MAX_UNPACKED_BYTES)
    except zlib.error as error:
        raise InventoryInvalid(f"The inventory is damaged ({error}). Fetch it again.") from error
    if unpacker.unconsumed_tail:
        raise InventoryInvalid(f"The inventory unpacks to more than {MAX_UNPACKED_BYTES:,} bytes: not a reference.")
    if not unpacker.eof:
        lines = text.count(b"\n")
        raise InventoryInvalid(f"The inventory ends in the middle, after {lines:,} entries. {_FETCH_AGAIN}")
    return text


def _parse(plaintext: bytes) -> sphobjinv.Inventory:
    try:
        return sphobjinv.Inventory(plaintext=plaintext)
    except TypeError as error:  # sphobjinv raises this if there is no entry
        raise InventoryInvalid(f"The inventory lists nothing. {_GET_ANOTHER}") from error
    except (AttributeError, UnicodeDecodeError) as error:  # a header without its lines, or bytes that are not text
        raise InventoryInvalid(f"The inventory cannot be read ({error}). {_GET_ANOTHER}") from error


def _entry(described: sphobjinv.DataObjStr) -> InventoryEntry:
    page, _, anchor = described.uri_expanded.partition("#")
    return InventoryEntry(described.name, described.domain, described.role, page, anchor)


def _unreadable(text: bytes, entries: tuple[InventoryEntry, ...]) -> tuple[str, ...]:
    """The lines that sphobjinv skipped silently."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) == len(entries):
        return ()
    return tuple(line.decode("utf-8", "replace") for line in lines if not _looks_like_entry(line))


def _looks_like_entry(line: bytes) -> bool:
    return re.fullmatch(rb".+?\s+[^\s:]+:\S+\s+-?\d+\s+?\S*\s+.+", line) is not None


def _check_is_blender(inventory: Inventory) -> None:
    if any(entry.is_python and entry.name.startswith("bpy.") for entry in inventory.entries):
        return
    raise InventoryInvalid(
        f"The inventory is of {inventory.project!r}, which describes nothing under `bpy`. {_GET_ANOTHER}"
    )

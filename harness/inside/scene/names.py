"""One name per data block: it is described, and asked for, by this name.

A local block has its own name. One of a library has the library's name too, because a local one may share its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

_apart: dict[int, str] = {}
"""The names of blocks from libraries whose full name a local block has, by address; see `tell_apart`."""

_kept: dict[str, Named] = {}
"""The data blocks of each kind that were asked for by name, until `tell_apart`."""


def tell_apart() -> None:
    """Make equal names of the open file distinct. Call it after a file is opened or blocks are made."""
    _apart.clear()
    _kept.clear()
    for blocks in (bpy.data.objects, bpy.data.materials, bpy.data.collections):
        linked = [block for block in blocks if block.library is not None]
        taken = {block.name for block in blocks if block.library is None} if linked else set[str]()
        for block in linked:
            wanted, number = block.name_full, 2
            while wanted in taken:
                wanted, number = f"{block.name_full} ({number})", number + 1
            taken.add(wanted)
            if wanted != block.name_full:
                _apart[block.as_pointer()] = wanted


def title(block: Any) -> str:
    """The unique name, among its kind, of a data block, or of the original of an evaluated one."""
    own = block.original
    if own.library is None:
        return str(own.name)
    return _apart.get(own.as_pointer()) or str(own.name_full)


def titled(blocks: Iterable[Any]) -> dict[str, Any]:
    """Data blocks of one kind by their titles."""
    return {title(block): block for block in blocks}


def title_or_none(block: Any) -> str | None:
    """The title of a data block; None if there is no block."""
    return title(block) if block else None


def called(name: str, blocks: Iterable[Any]) -> list[Any]:
    """The blocks that a request may mean by a name: those with this title, otherwise those from libraries so named."""
    return Named(blocks).called(name)


class Named:
    """Data blocks of one kind, to be asked for by many names."""

    def __init__(self, blocks: Iterable[Any]) -> None:
        self._by_title = titled(blocks)
        self._by_name: dict[str, list[Any]] = {}
        for block in self._by_title.values():
            self._by_name.setdefault(block.name, []).append(block)

    def called(self, name: str) -> list[Any]:
        """As the function of that name."""
        return [self._by_title[name]] if name in self._by_title else self._by_name.get(name, [])


def all_called(name: str, kind: str) -> list[Any]:
    """The same among the objects of the `scene`, or a collection of `bpy.data`; `collections` has that of the scene."""
    if kind not in _kept:
        own = [bpy.context.scene.collection] if kind == "collections" else []
        _kept[kind] = Named(bpy.context.scene.objects if kind == "scene" else [*own, *getattr(bpy.data, kind)])
    return _kept[kind].called(name)

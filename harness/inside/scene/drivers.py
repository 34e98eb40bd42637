"""Drivers and animation of the open file, each with the data block that owns it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy


def all_animation(linked: bool = False) -> Iterator[tuple[Any, Any]]:
    """Each data block that has animation data, embedded node trees included, with those data.

    `linked` adds the data blocks from libraries.
    """
    for name in dir(bpy.data):
        blocks = getattr(bpy.data, name)
        if not isinstance(blocks, bpy.types.bpy_prop_collection):
            continue
        for block in blocks:
            for owner in (block, getattr(block, "node_tree", None)) if linked or block.library is None else ():
                if animation := getattr(owner, "animation_data", None):
                    yield owner, animation


def all_drivers(linked: bool = False) -> Iterator[tuple[Any, Any]]:
    """Each driver's curve with the data block that it drives; `linked` adds those from libraries."""
    for owner, animation in all_animation(linked):
        for curve in animation.drivers:
            yield owner, curve


def drivers_now() -> dict[str, str]:
    """The expression of each driver, by its place."""
    return {place_of(owner, curve): curve.driver.expression for owner, curve in all_drivers()}


def place_of(owner: Any, curve: Any) -> str:
    """A driver in words, such as `Object "Cube", location[0]`."""
    return f'{owner.bl_rna.identifier} "{owner.name}", {curve.data_path}[{curve.array_index}]'

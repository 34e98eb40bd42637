"""Reads many numbers of a data block at once: vertices, attributes, weights, points, texts, packed files.

Each part becomes `Numbers` or a short hash, so that two large scenes can be compared without holding both in full.
"""

from __future__ import annotations

import array
import contextlib
import hashlib
import math
from collections.abc import Iterable, Iterator
from typing import Any, cast

import bpy

from harness.inside.scene.unordered import SELECTION, VALUES, in_any_order

KEPT_NUMBERS = 250_000
"""Numbers of one part above which only their hash is kept, and the slightest difference counts."""
WEIGHTS_LIMIT = 2_000_000
KINDS = {"FLOAT": "f", "INT": "i", "BOOLEAN": "b", "ENUM": "i"}
MESH_PARTS = (("vertices", "co"), ("edges", "vertices"), ("loops", "vertex_index"), ("polygons", "loop_start"))
"""Members of which one number or vector of each item is read; the rest of a mesh are attributes."""
MORE_OF_MESH = (("polygons", "material_index"), ("polygons", "use_smooth"), ("edges", "use_edge_sharp"))
WIDTHS = {"co": 3, "vertices": 2}
PIXEL_NUMBERS = 4 << 22
"""Numbers of an image up to which they are compared; the packed file of a larger one is."""

CLOSE = 1e-5
"""Relative difference of two numbers that counts as none: that of computing them twice."""
CLOSE_TO_NOTHING = 1e-6


def is_close(first: float, second: float) -> bool:
    """True if two numbers are the same within their precision; NaN is like itself."""
    return math.isclose(first, second, rel_tol=CLOSE, abs_tol=CLOSE_TO_NOTHING) or (first != first and second != second)


def parts_of(value: Any) -> tuple[Any, ...] | None:
    """The value if it is a tuple, otherwise None."""
    return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else None  # type: ignore[redundant-cast]


Column = tuple[str, str, int]
"""A simple property of the items of a collection: its name, its type, and the number of its numbers."""


IN_ANY_ORDER = "in any order"
"""The path of a digest of a mesh that does not depend on how Blender orders its edges and faces, which depends on where
in memory they were when they were made."""
OF_A_MESH = ("attributes[", "vertices.", "edges.", "loops.", "polygons.", "uv_layers[")
"""The beginnings of the paths that such a digest stands for."""


class NumberColumn:
    """Numbers of one kind; compared with a tolerance as long as they are few enough to be kept."""

    def __init__(self, values: array.array[Any]) -> None:
        self.digest = hashlib.sha256(values.tobytes()).hexdigest()[:16]
        self.count = len(values)
        self.values = values if values.typecode == "f" and len(values) <= KEPT_NUMBERS else None


def digest(data: bytes) -> str:
    """A short hash."""
    return hashlib.sha256(data).hexdigest()[:16]


def bulk_of(block: Any) -> Iterator[tuple[str, Any]]:
    """The bulk contents of a data block, each part by its path."""
    if isinstance(block, bpy.types.Mesh):
        yield IN_ANY_ORDER, in_any_order(block)
        for part, name in MESH_PARTS + MORE_OF_MESH:
            with contextlib.suppress(TypeError, RuntimeError):
                kind = "f" if name == "co" else "b" if name.startswith("use_") else "i"
                yield f"{part}.{name}", numbers_of(getattr(block, part), name, kind, WIDTHS.get(name, 1))
        for layer in block.uv_layers:
            yield f'uv_layers["{layer.name}"]', numbers_of(layer.data, "uv", "f", 2)
    elif isinstance(block, bpy.types.Key):
        for key in block.key_blocks:
            with contextlib.suppress(TypeError, RuntimeError):
                yield f'key_blocks["{key.name}"].data', numbers_of(key.data, "co", "f", 3)
    elif isinstance(block, bpy.types.Text):
        yield "text", digest(block.as_string().encode("utf-8", "surrogatepass"))
    elif isinstance(block, bpy.types.Object) and isinstance(block.data, bpy.types.Mesh) and block.vertex_groups:
        yield "weights", weights_of(block.data)
    yield from packed_in(block)


def packed_in(block: Any) -> Iterator[tuple[str, Any]]:
    """The files that are packed into a data block: of an image the pixels, because a file may name its day."""
    files = [getattr(block, "packed_file", None), *getattr(block, "packed_files", ())]
    if isinstance(block, bpy.types.Image) and block.source != "TILED" and any(files):
        count = block.size[0] * block.size[1] * block.channels
        if 0 < count <= PIXEL_NUMBERS:
            values = array.array("f", bytes(4 * count))
            block.pixels.foreach_get(values)
            yield "pixels", digest(values.tobytes())
            return
    for number, packed in enumerate(files):
        file = getattr(packed, "packed_file", packed)
        if file is not None:
            yield f"packed_files[{number}]", digest(file.data)


def attributes_of(holder: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of a mesh, of curves, of points, or of a drawing, each by its name."""
    for attribute in holder:
        if attribute.name.startswith(SELECTION):
            continue
        path = f'attributes["{attribute.name}"]'
        yield path, f"{attribute.domain} {attribute.data_type}"
        items = attribute.data
        if not len(items):
            continue
        name = next((name for name in VALUES if name in items[0].bl_rna.properties), None)
        if name is None:
            continue
        if attribute.data_type == "STRING":
            yield f"{path}.data", digest(repr([item.value for item in items]).encode("utf-8", "surrogatepass"))
            continue
        prop = items[0].bl_rna.properties[name]
        with contextlib.suppress(TypeError, RuntimeError):
            yield f"{path}.data", numbers_of(items, name, KINDS[prop.type], max(1, prop.array_length))


def weights_of(mesh: Any) -> NumberColumn:
    """The group and weight of each vertex, with the number of the vertex."""
    numbers = array.array("f")
    for vertex in mesh.vertices:
        for group in vertex.groups:
            numbers.extend((vertex.index, group.group, group.weight))
        if len(numbers) > WEIGHTS_LIMIT:
            break
    return NumberColumn(numbers)


def numbers_of(items: Any, name: str, kind: str, width: int) -> NumberColumn:
    """One number, or a vector of this width, of each item."""
    values = array.array(kind, bytes(len(items) * width * array.array(kind).itemsize))
    items.foreach_get(name, values)
    return NumberColumn(values)


def columns_of(items: Any, columns: Iterable[Column]) -> Iterator[tuple[str, Any]]:
    """The values of many items of one type, by property."""
    for name, type_of, width in columns:
        kind = KINDS.get(type_of)
        if kind is None:
            yield name, digest(repr([getattr(item, name) for item in items]).encode("utf-8", "surrogatepass"))
            continue
        with contextlib.suppress(TypeError, RuntimeError):
            yield name, numbers_of(items, name, kind, width)

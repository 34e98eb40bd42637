"""A digest of a mesh that does not depend on the order of its vertices, edges, faces and corners.

Each becomes a row of numbers: its place and its attributes. The digest is made of sums of the hashes of the rows.
Blender orders edges and faces by their addresses in memory when an operator made them, so a second process makes the
same sphere in another order.
"""

from __future__ import annotations

import hashlib
from typing import Any

FINEST = 1e4
"""The number of distinct steps in a unit of length."""
DOMAINS = ("POINT", "EDGE", "CORNER", "FACE")
VALUES = ("value", "vector", "color")
"""Members of the items of an attribute that hold its numbers."""
SELECTION = (".select_", ".vs.", ".es.")
"""The beginnings of the names of attributes that hold the selection."""
TOPOLOGY = ("position", ".edge_verts", ".corner_vert", ".corner_edge", "material_index", "sharp_face", "sharp_edge")


def in_any_order(mesh: Any) -> str | None:
    """The digest; None if there is no numpy, or the mesh has an attribute that is no number."""
    try:
        import numpy
    except ImportError:
        return None
    rows = places(mesh, numpy)
    for attribute in mesh.attributes:
        told = attribute.name not in TOPOLOGY and not attribute.name.startswith(SELECTION)
        if told and len(attribute.data):
            found = numbers(attribute.data, numpy)
            if found is None:
                return None
            rows[attribute.domain].append(found)
    total = hashlib.sha256()
    for domain in DOMAINS:
        if rows[domain]:
            table = numpy.concatenate([part.astype("f8") for part in rows[domain]], axis=1)
            total.update(sum_of_hashes(table, numpy))
    return total.hexdigest()[:16]


def read(items: Any, name: str, kind: str, width: int, numpy: Any) -> Any:
    """A number or a vector of each item, as an array with one row per item."""
    values = numpy.zeros(len(items) * width, kind)
    items.foreach_get(name, values)
    return values.reshape(len(items), width)


def places(mesh: Any, numpy: Any) -> dict[str, list[Any]]:
    """By domain, the place of each item, and its facts that are no attribute in every Blender."""
    at = read(mesh.vertices, "co", "f4", 3, numpy).astype("f8")
    ends = read(mesh.edges, "vertices", "i4", 2, numpy)
    corners = read(mesh.loops, "vertex_index", "i4", 1, numpy)[:, 0]
    sizes = read(mesh.polygons, "loop_total", "i4", 1, numpy)[:, 0]
    faces = numpy.repeat(numpy.arange(len(sizes)), sizes)
    middles = numpy.zeros((len(sizes), 3))
    if len(faces) == len(corners):
        numpy.add.at(middles, faces, at[corners])
    material = read(mesh.polygons, "material_index", "i4", 1, numpy)
    smooth = read(mesh.polygons, "use_smooth", "b", 1, numpy)
    sharp = read(mesh.edges, "use_edge_sharp", "b", 1, numpy)
    first, second = at[ends[:, 0]], at[ends[:, 1]]
    around = middles[faces] if len(faces) == len(corners) else numpy.zeros((len(corners), 3))
    return {
        "POINT": [at],
        "EDGE": [first + second, numpy.abs(first - second), sharp],
        "CORNER": [at[corners], around],
        "FACE": [middles, sizes[:, None], material, smooth],
    }


def numbers(items: Any, numpy: Any) -> Any:
    """The numbers of an attribute, one row per item; None if it has none."""
    name = next((name for name in VALUES if name in items[0].bl_rna.properties), None)
    prop = items[0].bl_rna.properties[name] if name else None
    if prop is None or prop.type not in ("FLOAT", "INT", "BOOLEAN"):
        return None
    kind = {"FLOAT": "f4", "INT": "i4", "BOOLEAN": "b"}[prop.type]
    return read(items, name or "", kind, max(1, prop.array_length), numpy)


def sum_of_hashes(table: Any, numpy: Any) -> bytes:
    """The number of rows and the sum of their hashes, which has no order."""
    whole = numpy.nan_to_num(numpy.round(table * FINEST), nan=7.7e17, posinf=7.8e17, neginf=-7.8e17)
    whole = numpy.clip(whole, -9e17, 9e17).astype("i8").view("u8")
    mixed = numpy.zeros(len(whole), "u8")
    with numpy.errstate(over="ignore"):
        for column in range(whole.shape[1]):
            mixed = (mixed ^ whole[:, column]) * numpy.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> numpy.uint64(29)
    return b"%d %d %d" % (len(whole), int(mixed.sum(dtype="u8")), int((mixed >> numpy.uint64(7)).sum(dtype="u8")))

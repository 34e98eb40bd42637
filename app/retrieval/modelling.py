"""Symbols for a request for a shape: its words describe the result, and seldom the means.

    "A wooden chair with a slatted back" ─> bmesh is among the best symbols ─> the sure ones, then those of modelling

The symbols near to such words, armatures for its back or a cloth for its seat, are mostly about something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

LEAST_SCORE: Final = 2.5
"""Below it a symbol is used by hardly any right answer to such a request."""
FIRST: Final = 15
"""A request is about a shape if a sure symbol of bmesh is among this many of the best."""
OF_MODELLING: Final = (
    "bmesh.new", "bmesh.types.BMesh.to_mesh", "bmesh.types.BMesh.free", "bmesh.types.BMVertSeq.new",
    "bmesh.types.BMFaceSeq.new", "bmesh.types.BMFace.smooth", "bmesh.types.BMEdge.smooth",
    "bmesh.types.BMEdge.calc_face_angle", "bmesh.ops.create_cube", "bmesh.ops.create_cone", "bmesh.ops.create_uvsphere",
    "bmesh.ops.bevel", "bmesh.ops.spin", "bpy.types.Mesh.from_pydata", "bpy.types.Mesh.set_sharp_from_angle",
    "bpy.types.Mesh.clear_geometry", "bpy.types.IDMaterials.append", "mathutils.Vector.cross",
    "mathutils.Matrix.Rotation", "mathutils.Matrix.Translation", "bpy.types.Curve.bevel_depth",
    "bpy.types.CurveSplines.new", "bpy.types.SplinePoints.add",
)  # fmt: skip
"""The symbols of snippets that model something."""


def is_about_a_shape(addresses: Sequence[str]) -> bool:
    """True if a request for which these symbols are sure, the best first, is about a shape."""
    return any(address.startswith("bmesh.") for address in addresses[:FIRST])

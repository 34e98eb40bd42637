"""Build a stepped tower by insetting and extruding faces, then bevel its edges.

Asked as: extrude the top face of a cube with bmesh; inset and extrude faces without edit mode; round the edges of a
mesh with bmesh bevel; model a simple building from a cube
"""

from typing import Any

import bpy
import bmesh

NAME = "Stepped Tower"
STOREYS = ((0.15, 1.2), (0.2, 0.9), (0.2, 0.6))  # how far each is set in, and how high it is


def raise_storey(bm: bmesh.types.BMesh, inset: float, height: float) -> None:
    """Set the highest face in, and pull a new storey out of it."""
    top = max(bm.faces, key=lambda face: face.calc_center_median().z)
    bmesh.ops.inset_individual(bm, faces=[top], thickness=inset)
    extruded = bmesh.ops.extrude_discrete_faces(bm, faces=[top])["faces"]
    bmesh.ops.translate(bm, vec=(0.0, 0.0, height), verts=extruded[0].verts)


def build(mesh: bpy.types.Mesh) -> None:
    """Fill the mesh, in place of whatever it holds."""
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=2.0)
    for inset, height in STOREYS:
        raise_storey(bm, inset, height)
    sharp = [edge for edge in bm.edges if edge.calc_face_angle(0.0) > 0.5]
    bmesh.ops.bevel(bm, geom=sharp, offset=0.04, segments=3, profile=0.5, affect="EDGES", clamp_overlap=True)
    bm.to_mesh(mesh)
    bm.free()


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def coloured(name: str, colour: tuple[float, float, float, float]) -> bpy.types.Material:
    """Return the material of this name, in this colour."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    tree: Any = material.node_tree
    tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    return material


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    build(mesh)
    placed(NAME, mesh).active_material = coloured("Sandstone", (0.55, 0.38, 0.2, 1.0))


main()

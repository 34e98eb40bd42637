"""Cut a mesh in two with a plane, keep one side and close the cut.

Asked as: bisect a mesh with bmesh and fill the hole; slice an object in half along a plane; show a cross section
"""

from typing import Any

import bpy
import bmesh

NAME = "Cut Melon"
CUT_POINT = (0.0, 0.0, 0.0)
CUT_NORMAL = (-0.4, -0.8, 0.3)  # what lies on the side that this points to is removed


def cut(bm: bmesh.types.BMesh) -> None:
    """Cut along the plane; the new face gets the second material."""
    everything: list[Any] = [*bm.verts, *bm.edges, *bm.faces]
    done = bmesh.ops.bisect_plane(
        bm, geom=everything, plane_co=CUT_POINT, plane_no=CUT_NORMAL, clear_outer=True, dist=0.0001
    )
    rim = [part for part in done["geom_cut"] if isinstance(part, bmesh.types.BMEdge)]
    for face in bmesh.ops.edgeloop_fill(bm, edges=rim)["faces"]:
        face.material_index = 1
        face.smooth = False


def build(mesh: bpy.types.Mesh) -> None:
    """Fill a new mesh with what is left of a ball."""
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=64, v_segments=32, radius=1.0)
    for face in bm.faces:
        face.smooth = True
    cut(bm)
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
    mesh = bpy.data.meshes.get(NAME)
    if mesh is None:
        mesh = bpy.data.meshes.new(NAME)
        build(mesh)
        mesh.materials.append(coloured("Melon Rind", (0.03, 0.2, 0.04, 1.0)))
        mesh.materials.append(coloured("Melon Flesh", (0.8, 0.1, 0.08, 1.0)))
    placed(NAME, mesh)


main()

"""Export one object as glTF and PLY, beside the .blend.

Asked as: export a model from python; save selected objects as glb; write a PLY file; export only some objects of the
scene
"""

from pathlib import Path
from typing import Any

import bpy
import bmesh

NAME = "Exported Gem"


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


def gem_mesh() -> bpy.types.Mesh:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=False, segments=8, radius1=0.0, radius2=1.0, depth=1.2)
    bmesh.ops.translate(bm, vec=(0.0, 0.0, 0.6), verts=list(bm.verts))
    rim = [edge for edge in bm.edges if edge.is_boundary]
    top = bmesh.ops.extrude_edge_only(bm, edges=rim)["geom"]
    upper = [part for part in top if isinstance(part, bmesh.types.BMVert)]
    bmesh.ops.translate(bm, vec=(0.0, 0.0, 0.4), verts=upper)
    bmesh.ops.scale(bm, vec=(0.6, 0.6, 1.0), verts=upper)
    bmesh.ops.contextual_create(bm, geom=upper)
    bmesh.ops.remove_doubles(bm, verts=list(bm.verts), dist=0.0001)
    bm.to_mesh(mesh)
    bm.free()
    return mesh


def export(obj: bpy.types.Object, folder: Path) -> None:
    """Write the object alone; exporters know no other way to choose than the selection."""
    selected = [each for each in bpy.context.selected_objects if each is not obj]
    for each in selected:
        each.select_set(False)
    obj.select_set(True)
    bpy.ops.export_scene.gltf(filepath=str(folder / "gem.glb"), use_selection=True, export_apply=True)
    bpy.ops.wm.ply_export(filepath=str(folder / "gem.ply"), export_selected_objects=True)
    for each in selected:
        each.select_set(True)


def main() -> None:
    gem = placed(NAME, gem_mesh())
    gem.active_material = coloured("Ruby", (0.5, 0.01, 0.05, 1.0))
    folder = Path(bpy.path.abspath("//") or Path.cwd())  # a scene that was never saved has no folder of its own
    export(gem, folder)


main()

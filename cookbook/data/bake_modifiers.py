"""Turn an object with modifiers into a plain mesh without operators.

Asked as: apply all modifiers from python; get the evaluated mesh from the depsgraph; convert to mesh with modifiers;
bake modifiers into a copy
"""

from typing import Any

import bpy
import bmesh

SOURCE, RESULT = "Modified Frame", "Baked Frame"


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


def modified() -> bpy.types.Object:
    """A cube that becomes an open frame by its modifiers."""
    mesh = bpy.data.meshes.get(SOURCE) or bpy.data.meshes.new(SOURCE)
    bm = bmesh.new()
    bmesh.ops.create_cube(bm, size=1.6)
    bm.to_mesh(mesh)
    bm.free()
    source = placed(SOURCE, mesh)
    wire = source.modifiers.get("Wireframe") or source.modifiers.new("Wireframe", "WIREFRAME")
    assert isinstance(wire, bpy.types.WireframeModifier)
    wire.thickness = 0.3
    bevel = source.modifiers.get("Bevel") or source.modifiers.new("Bevel", "BEVEL")
    assert isinstance(bevel, bpy.types.BevelModifier)
    bevel.width, bevel.segments = 0.04, 3
    return source


def bake(source: bpy.types.Object, name: str) -> bpy.types.Object:
    """Return the object of this name, with the mesh that the modifiers of the source make now."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    baked = bpy.data.meshes.new_from_object(source.evaluated_get(depsgraph), depsgraph=depsgraph)
    result = placed(name, baked)
    if result.data is not baked:
        earlier, result.data = result.data, baked
        if isinstance(earlier, bpy.types.Mesh) and earlier.users == 0:
            bpy.data.meshes.remove(earlier)
    baked.name = name
    return result


def main() -> None:
    source = modified()
    source.location = (-1.3, 0.0, 0.0)
    source.active_material = coloured("Before Bake", (0.1, 0.25, 0.6, 1.0))
    result = bake(source, RESULT)
    result.location = (1.3, 0.0, 0.0)
    result.active_material = coloured("After Bake", (0.7, 0.3, 0.05, 1.0))


main()

"""Make a procedural rock material with noise for its colour and bumps.

Asked as: noise texture with a colour ramp; add bump mapping to a material; procedural stone shader; rough surface
without image files
"""

from typing import Any

import bpy
import bmesh

NAME, MATERIAL = "Boulder", "Rough Stone"
DARK, LIGHT = (0.05, 0.04, 0.035, 1.0), (0.5, 0.45, 0.38, 1.0)


def with_nodes(name: str) -> bpy.types.NodeTree:
    """Return the empty node tree of the material of this name."""
    material = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    assert material.node_tree is not None
    material.node_tree.nodes.clear()
    return material.node_tree


def stone() -> bpy.types.Material:
    """One noise decides on colour and height, so that hollows are dark."""
    tree = with_nodes(MATERIAL)
    place = tree.nodes.new("ShaderNodeTexCoord")
    noise: Any = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = 2.5
    noise.inputs["Detail"].default_value = 12.0
    noise.inputs["Roughness"].default_value = 0.65
    ramp: Any = tree.nodes.new("ShaderNodeValToRGB")
    first, last = ramp.color_ramp.elements
    first.position, first.color = 0.35, DARK
    last.position, last.color = 0.65, LIGHT
    bump: Any = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = 0.9
    bump.inputs["Distance"].default_value = 0.25
    surface: Any = tree.nodes.new("ShaderNodeBsdfPrincipled")
    surface.inputs["Roughness"].default_value = 0.85
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(place.outputs["Object"], noise.inputs["Vector"])
    tree.links.new(noise.outputs["Fac"], ramp.inputs["Fac"])
    tree.links.new(noise.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(ramp.outputs["Color"], surface.inputs["Base Color"])
    tree.links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    tree.links.new(surface.outputs["BSDF"], output.inputs["Surface"])
    return bpy.data.materials[MATERIAL]


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def main() -> None:
    mesh = bpy.data.meshes.get(NAME) or bpy.data.meshes.new(NAME)
    bm = bmesh.new()
    bmesh.ops.create_icosphere(bm, subdivisions=5, radius=1.0)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    placed(NAME, mesh).active_material = stone()


main()

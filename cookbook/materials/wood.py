"""Make a procedural wood material with rings.

Asked as: procedural wood; wood grain shader without images; wooden material from noise and waves
"""

from typing import Any

import bpy
import bmesh

MATERIAL, SAMPLE = "Procedural Wood", "Wood Sample"
RINGS, DISTORTION = 6.0, 3.5
DARK, LIGHT = (0.12, 0.045, 0.015, 1.0), (0.42, 0.2, 0.08, 1.0)


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def fresh_nodes(material: bpy.types.Material) -> Any:
    """Return the empty node tree of a material."""
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    tree: Any = material.node_tree
    tree.nodes.clear()
    return tree


def added(tree: Any, kind: str, place: tuple[float, float], **inputs: float) -> Any:
    """Add a node with these inputs; an underscore stands for a blank."""
    node = tree.nodes.new(kind)
    node.location = place
    for name, value in inputs.items():
        node.inputs[name.replace("_", " ")].default_value = value
    return node


def sample_sphere(name: str) -> bpy.types.Object:
    """Return a smooth sphere of this name that shows the material."""
    mesh = bpy.data.meshes.get(name) or bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=48, v_segments=24, radius=1.0)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return placed(name, mesh)


def build_wood(material: bpy.types.Material) -> None:
    """Bend the rings of a wave texture with noise, and colour them with a ramp."""
    tree = fresh_nodes(material)
    place = added(tree, "ShaderNodeTexCoord", (-900.0, 0.0))
    rings = added(tree, "ShaderNodeTexWave", (-650.0, 0.0), Scale=RINGS / 4, Distortion=DISTORTION, Detail=4.0)
    rings.wave_type = "RINGS"
    ramp = added(tree, "ShaderNodeValToRGB", (-400.0, 0.0))
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = DARK, LIGHT
    shader = added(tree, "ShaderNodeBsdfPrincipled", (-50.0, 0.0), Roughness=0.45)
    output = added(tree, "ShaderNodeOutputMaterial", (250.0, 0.0))
    tree.links.new(place.outputs["Object"], rings.inputs["Vector"])
    tree.links.new(rings.outputs["Color"], ramp.inputs[0])
    tree.links.new(ramp.outputs["Color"], shader.inputs["Base Color"])
    tree.links.new(shader.outputs["BSDF"], output.inputs["Surface"])


def main() -> None:
    material = bpy.data.materials.get(MATERIAL) or bpy.data.materials.new(MATERIAL)
    build_wood(material)
    material.diffuse_color = LIGHT
    sample_sphere(SAMPLE).active_material = material


main()

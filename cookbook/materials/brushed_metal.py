"""Make a brushed metal material.

Asked as: procedural brushed metal; scratched steel shader; metal with fine lines in one direction
"""

from typing import Any

import bpy
import bmesh

MATERIAL, SAMPLE = "Brushed Metal", "Metal Sample"
LINES, ROUGHNESS = 60.0, 0.35
COLOUR = (0.6, 0.6, 0.62, 1.0)


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


def build_metal(material: bpy.types.Material) -> None:
    """Stretch noise into lines, which vary the roughness and bump the surface."""
    tree = fresh_nodes(material)
    place = added(tree, "ShaderNodeTexCoord", (-1100.0, 0.0))
    stretch = added(tree, "ShaderNodeMapping", (-900.0, 0.0))
    stretch.inputs["Scale"].default_value = (0.4, 0.4, LINES)
    lines = added(tree, "ShaderNodeTexNoise", (-700.0, 0.0), Scale=2.0, Detail=6.0)
    spread = added(tree, "ShaderNodeMapRange", (-450.0, 0.0), To_Min=ROUGHNESS - 0.15, To_Max=ROUGHNESS + 0.15)
    bump = added(tree, "ShaderNodeBump", (-450.0, -300.0), Strength=0.08)
    shader = added(tree, "ShaderNodeBsdfPrincipled", (-100.0, 0.0), Metallic=1.0)
    shader.inputs["Base Color"].default_value = COLOUR
    output = added(tree, "ShaderNodeOutputMaterial", (200.0, 0.0))
    tree.links.new(place.outputs["Object"], stretch.inputs["Vector"])
    tree.links.new(stretch.outputs["Vector"], lines.inputs["Vector"])
    tree.links.new(lines.outputs[0], spread.inputs["Value"])
    tree.links.new(lines.outputs[0], bump.inputs["Height"])
    tree.links.new(spread.outputs["Result"], shader.inputs["Roughness"])
    tree.links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    tree.links.new(shader.outputs["BSDF"], output.inputs["Surface"])


def main() -> None:
    material = bpy.data.materials.get(MATERIAL) or bpy.data.materials.new(MATERIAL)
    build_metal(material)
    material.diffuse_color = COLOUR
    sample_sphere(SAMPLE).active_material = material


main()

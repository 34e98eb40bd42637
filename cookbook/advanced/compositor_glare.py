"""Add a glow to the render with the compositor.

Asked as: compositor glare node; bloom effect; set up compositing nodes from python; post-process the render
"""

from typing import Any

import bpy
import bmesh

GROUP, LAMP = "Glow", "Glowing Bulb"


def placed(name: str, data: bpy.types.ID | None) -> bpy.types.Object:
    """Return the object of this name, put into the scene the first time."""
    scene = bpy.context.scene
    obj = bpy.data.objects.get(name) or bpy.data.objects.new(name, data)
    if scene is not None and obj.name not in scene.objects:
        scene.collection.objects.link(obj)
    return obj


def glow_group() -> bpy.types.NodeTree:
    """Return the node group; before Blender 5.0 a scene has a node tree of its own instead."""
    made = bpy.data.node_groups.get(GROUP)
    if made is not None:
        return made
    group = bpy.data.node_groups.new(GROUP, "CompositorNodeTree")
    face: Any = group.interface
    face.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")
    layers = group.nodes.new("CompositorNodeRLayers")
    glare: Any = group.nodes.new("CompositorNodeGlare")
    glare.inputs["Type"].default_value = "Bloom"
    glare.inputs["Threshold"].default_value = 1.0
    glare.inputs["Strength"].default_value = 1.0
    glare.inputs["Size"].default_value = 0.6
    output = group.nodes.new("NodeGroupOutput")
    group.links.new(layers.outputs["Image"], glare.inputs["Image"])
    group.links.new(glare.outputs["Image"], output.inputs["Image"])
    for column, node in enumerate((layers, glare, output)):
        node.location.x = 300.0 * column
    return group


def bulb_material() -> bpy.types.Material:
    """Bright enough to go over the threshold."""
    material = bpy.data.materials.get(LAMP) or bpy.data.materials.new(LAMP)
    tree: Any = material.node_tree
    shader = tree.nodes["Principled BSDF"]
    shader.inputs["Emission Color"].default_value = (1.0, 0.25, 0.03, 1.0)
    shader.inputs["Emission Strength"].default_value = 4.0
    return material


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    mesh = bpy.data.meshes.get(LAMP) or bpy.data.meshes.new(LAMP)
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=32, v_segments=16, radius=0.8)
    bm.to_mesh(mesh)
    bm.free()
    mesh.shade_smooth()
    bulb = placed(LAMP, mesh)
    bulb.location = (0.0, 0.0, 2.0)
    bulb.active_material = bulb_material()
    scene.compositing_node_group = glow_group()
    scene.render.use_compositing = True


main()

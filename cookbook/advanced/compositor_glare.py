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


def compositor_tree(scene: Any) -> Any:
    """Return the tree of the compositor: a node group, or before Blender 5.0 the scene's own."""
    if not hasattr(scene, "compositing_node_group"):
        scene.use_nodes = True
        return scene.node_tree
    if scene.compositing_node_group is None:
        group = bpy.data.node_groups.new(GROUP, "CompositorNodeTree")
        face: Any = group.interface
        face.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")
        scene.compositing_node_group = group
    return scene.compositing_node_group


def glare_node(tree: Any) -> Any:
    """Add the node; what is a socket of it now was a property once."""
    glare = tree.nodes.new("CompositorNodeGlare")
    glare.name = GROUP
    if "Type" in glare.inputs:
        glare.inputs["Type"].default_value = "Bloom"
    else:
        glare.glare_type = "FOG_GLOW"
    if "Strength" in glare.inputs:
        glare.inputs["Threshold"].default_value = 1.0
        glare.inputs["Strength"].default_value = 1.0
        glare.inputs["Size"].default_value = 0.6
    return glare


def add_glow(tree: Any) -> None:
    """Fill the tree, unless that was done before."""
    if GROUP in tree.nodes:
        return
    tree.nodes.clear()
    layers = tree.nodes.new("CompositorNodeRLayers")
    glare = glare_node(tree)
    output = tree.nodes.new("NodeGroupOutput" if bpy.app.version >= (5, 0, 0) else "CompositorNodeComposite")
    tree.links.new(layers.outputs["Image"], glare.inputs["Image"])
    tree.links.new(glare.outputs["Image"], output.inputs["Image"])
    for column, node in enumerate((layers, glare, output)):
        node.location.x = 300.0 * column


def bulb_material() -> bpy.types.Material:
    """Bright enough to go over the threshold."""
    material = bpy.data.materials.get(LAMP) or bpy.data.materials.new(LAMP)
    if material.node_tree is None:  # before Blender 5.0
        material.use_nodes = True
    tree: Any = material.node_tree
    shader = tree.nodes["Principled BSDF"]
    emission = "Emission Color" if "Emission Color" in shader.inputs else "Emission"  # before Blender 4.0
    shader.inputs[emission].default_value = (1.0, 0.25, 0.03, 1.0)
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
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    bulb = placed(LAMP, mesh)
    bulb.location = (0.0, 0.0, 2.0)
    bulb.active_material = bulb_material()
    add_glow(compositor_tree(scene))
    scene.render.use_compositing = True


main()

"""Give the world a gradient sky, without an image.

Asked as: world background with a color gradient; sunset sky with nodes; set up environment lighting without an HDRI;
change the background colour of the scene
"""

from typing import Any

import bpy
import bmesh

NAME = "Sunset Sky"
# From straight down (0) over the horizon (0.5) to straight up (1).
COLOURS = (
    (0.0, (0.03, 0.03, 0.04, 1.0)),
    (0.49, (0.08, 0.05, 0.05, 1.0)),
    (0.51, (1.0, 0.45, 0.15, 1.0)),
    (0.7, (0.25, 0.35, 0.7, 1.0)),
    (1.0, (0.05, 0.12, 0.4, 1.0)),
)


def sky() -> bpy.types.World:
    world = bpy.data.worlds.get(NAME) or bpy.data.worlds.new(NAME)
    if world.node_tree is None:  # before Blender 5.0
        world.use_nodes = True
    assert world.node_tree is not None
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    direction = nodes.new("ShaderNodeTexCoord")
    parts = nodes.new("ShaderNodeSeparateXYZ")
    height: Any = nodes.new("ShaderNodeMapRange")
    height.inputs["From Min"].default_value = -1.0
    ramp: Any = nodes.new("ShaderNodeValToRGB")
    elements = ramp.color_ramp.elements
    for _ in COLOURS[2:]:  # a new ramp has two already
        elements.new(0.5)
    for element, (position, colour) in zip(elements, COLOURS, strict=True):
        element.position, element.color = position, colour
    background = nodes.new("ShaderNodeBackground")
    output = nodes.new("ShaderNodeOutputWorld")
    links.new(direction.outputs["Generated"], parts.inputs[0])
    links.new(parts.outputs["Z"], height.inputs["Value"])
    links.new(height.outputs["Result"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], background.inputs["Color"])
    links.new(background.outputs["Background"], output.inputs["Surface"])
    return world


def mirror_ball(scene: bpy.types.Scene) -> None:
    """Something that shows the whole sky."""
    mesh = bpy.data.meshes.get("Mirror Ball") or bpy.data.meshes.new("Mirror Ball")
    bm = bmesh.new()
    bmesh.ops.create_uvsphere(bm, u_segments=64, v_segments=32, radius=1.0)
    bm.to_mesh(mesh)
    bm.free()
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    ball = bpy.data.objects.get("Mirror Ball") or bpy.data.objects.new("Mirror Ball", mesh)
    if ball.name not in scene.objects:
        scene.collection.objects.link(ball)
    chrome = bpy.data.materials.get("Chrome") or bpy.data.materials.new("Chrome")
    if chrome.node_tree is None:  # before Blender 5.0
        chrome.use_nodes = True
    tree: Any = chrome.node_tree
    tree.nodes["Principled BSDF"].inputs["Metallic"].default_value = 1.0
    tree.nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.05
    ball.active_material = chrome


def main() -> None:
    scene = bpy.context.scene
    assert scene is not None
    scene.world = sky()
    mirror_ball(scene)


main()

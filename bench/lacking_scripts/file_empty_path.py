"""needs_file: the path at the top is to be filled in."""

import bpy

HDRI = ""
world = bpy.context.scene.world
node = world.node_tree.nodes.new("ShaderNodeTexEnvironment")
node.image = bpy.data.images.load(HDRI)
world.node_tree.links.new(node.outputs["Color"], world.node_tree.nodes["Background"].inputs["Color"])

import bpy

world = bpy.data.worlds.new("Sky")
world.color = (0.2, 0.4, 0.9)  # blue
world.node_tree.nodes["Background"].inputs["Color"].default_value = (*world.color, 1.0)
bpy.context.scene.world = world

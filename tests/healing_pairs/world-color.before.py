import bpy

world = bpy.data.worlds.new("Sky")
world.color = (0.2, 0.4, 0.9)  # blue
bpy.context.scene.world = world

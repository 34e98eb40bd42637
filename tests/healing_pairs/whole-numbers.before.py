import bpy

scene = bpy.context.scene
middle = scene.frame_end / 2
scene.frame_set(middle)
scene.render.resolution_x = 1920.0

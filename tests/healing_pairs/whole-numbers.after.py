import bpy

scene = bpy.context.scene
middle = scene.frame_end / 2
scene.frame_set(int(middle))
scene.render.resolution_x = 1920

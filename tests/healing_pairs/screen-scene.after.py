import bpy

scene = bpy.context.scene
scene.frame_end = 100

import bpy

scene = bpy.context.screen.scene
scene.frame_end = 100

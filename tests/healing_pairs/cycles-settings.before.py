import bpy

scene = bpy.context.scene
scene.cycles.motion_blur_position = "CENTER"

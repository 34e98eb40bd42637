import bpy

scene = bpy.context.scene
scene.render.motion_blur_position = "CENTER"

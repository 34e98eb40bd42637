import bpy

bpy.context.scene.view_settings.look = "AgX - High Contrast"

import bpy

bpy.context.scene.view_settings.look = "Filmic - High Contrast"

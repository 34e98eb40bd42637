import bpy

settings = bpy.context.scene.render.image_settings
settings.file_format = "FFMPEG"

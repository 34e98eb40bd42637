import bpy

settings = bpy.context.scene.render.image_settings
settings.media_type = "VIDEO"
settings.file_format = "FFMPEG"

"""4.x: set up a video file."""
import bpy

render = bpy.context.scene.render
render.image_settings.file_format = 'FFMPEG'
render.ffmpeg.format = 'MPEG4'
render.ffmpeg.codec = 'H264'
render.fps = 30

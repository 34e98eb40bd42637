"""3.x: writes a picture of its own and loads it from a path with backslashes."""
import bpy
import os

folder = "textures\user_made"
os.makedirs(folder.replace("\\", "/"), exist_ok=True)
img = bpy.data.images.new("Made", 8, 8)
img.filepath_raw = os.path.abspath(folder.replace("\\", "/") + "/made.png")
img.file_format = 'PNG'
img.save()
bpy.data.images.load(img.filepath_raw)

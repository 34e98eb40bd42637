import bpy

layer = bpy.data.grease_pencils.new("Pencil").layers.new("Lines")
layer.radius_offset = 10 / 2000
layer.translation = (0, 0, 1)
print(layer.current_frame())

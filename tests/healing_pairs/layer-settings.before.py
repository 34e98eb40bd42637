import bpy

layer = bpy.data.grease_pencils.new("Pencil").layers.new("Lines")
layer.line_change = 10
layer.location = (0, 0, 1)
print(layer.active_frame)

import bpy

pencil = bpy.data.grease_pencils.new("Ink")
layer = pencil.layers.new("Lines")
layer.frames.new(1)
layer.clear()

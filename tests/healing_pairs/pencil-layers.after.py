import bpy

pencil = bpy.data.grease_pencils.new("Sketch")
layer = pencil.layers.new("Lines")
layer.name = "Ink"

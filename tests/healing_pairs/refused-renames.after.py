import bpy

bevel = bpy.data.objects["Cube"].modifiers.new("Bevel", "BEVEL")
bevel.limit_method = "WEIGHT"

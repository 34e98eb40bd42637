import bpy

bevel = bpy.data.objects["Cube"].modifiers.new("Bevel", "BEVEL")
bevel.use_only_vertices = True

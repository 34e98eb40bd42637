import bpy

cube = bpy.data.objects["Cube"]
cube.modifiers.new("Smooth", "SUBSURFF")

import bpy

cube = bpy.data.objects["Cube"]
cube.display_type = "WIRE"

import bpy

cube = bpy.data.objects["Cube"]
cube.display_type = "WIRE"
cube.draw_type = "SOLID"  # of the same setting

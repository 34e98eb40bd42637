import bpy

cube = bpy.data.objects["Cube"]
cube.location = (1, 2, 3)

import bpy

cube = bpy.data.objects["Cube"]
cube.locaton = (1, 2, 3)

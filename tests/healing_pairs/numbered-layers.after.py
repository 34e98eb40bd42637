import bpy

cube = bpy.data.objects["Cube"]

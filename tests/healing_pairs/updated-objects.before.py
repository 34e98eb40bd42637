import bpy

cube = bpy.data.objects["Cube"]
print(cube.is_updated)

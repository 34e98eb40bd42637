import bpy

cube = bpy.data.objects["Cube"]
cube.vertex_groups.new("All")

import bpy

cube = bpy.data.objects["Cube"]
cube.vertex_groups.new("All")
print(bpy.utils.user_resource("SCRIPTS", "presets", True))

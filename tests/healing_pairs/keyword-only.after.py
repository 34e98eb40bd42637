import bpy

cube = bpy.data.objects["Cube"]
cube.vertex_groups.new(name="All")
print(bpy.utils.user_resource("SCRIPTS", path="presets", create=True))

import bpy

cube = bpy.data.objects["Cube"]
cube.vertex_groups.new("All")
print(bpy.utils.user_resource("SCRIPTS", "presets", True))
import bmesh

bpy.context.view_layer.objects.active = cube
bpy.ops.object.mode_set(mode="EDIT")
bmesh.update_edit_mesh(cube.data, True)

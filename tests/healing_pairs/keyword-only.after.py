import bpy

cube = bpy.data.objects["Cube"]
cube.vertex_groups.new(name="All")
print(bpy.utils.user_resource("SCRIPTS", path="presets", create=True))
import bmesh

bpy.context.view_layer.objects.active = cube
bpy.ops.object.mode_set(mode="EDIT")
bmesh.update_edit_mesh(cube.data, loop_triangles=True)

"""2.8x-3.x: join two meshes with a context dictionary."""
import bpy

bpy.ops.mesh.primitive_cube_add(size=1, location=(3, 0, 0))
a = bpy.context.object
bpy.ops.mesh.primitive_cone_add(location=(3, 0, 1))
b = bpy.context.object
c = bpy.context.copy()
c["active_object"] = a
c["selected_editable_objects"] = [a, b]
bpy.ops.object.join(c)

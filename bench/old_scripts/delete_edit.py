"""any: left in edit mode"""
import bpy
bpy.ops.object.mode_set(mode='EDIT')
bpy.ops.mesh.select_all(action='SELECT')
bpy.ops.mesh.bevel(offset=.1, segments=2, vertex_only=False)
bpy.ops.mesh.primitive_uv_sphere_add(radius=1)
bpy.ops.object.delete()
bpy.ops.object.shade_smooth()

"""any: edit operators in object mode"""
import bpy
bpy.ops.mesh.primitive_cube_add(size=2)
bpy.ops.mesh.subdivide(number_cuts=3)
bpy.ops.mesh.select_all(action='SELECT')
bpy.ops.mesh.inset(thickness=.1)
bpy.ops.object.shade_flat()
bpy.ops.uv.smart_project(angle_limit=66, island_margin=.02, user_area_weight=0)

"""3.x: reads split normals and counts the flat corners."""
import bpy
from mathutils import Vector

bpy.ops.mesh.primitive_uv_sphere_add(radius=1)
bpy.ops.object.shade_smooth(use_auto_smooth=True)
me = bpy.context.object.data
me.calc_normals_split()
up = 0
for loop in me.loops:
    if loop.normal.dot(Vector((0, 0, 1))) > 0.9:
        up += 1
me.free_normals_split()
print(up)

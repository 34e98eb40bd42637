"""2.80: unwrap, uv islands packed, custom normals, sharp by angle. Right: uv map, normals set by corner, sharp edges marked."""
import bpy
from mathutils import Vector
bpy.ops.mesh.primitive_cylinder_add(vertices=32)
ob = bpy.context.object
bpy.ops.object.editmode_toggle()
bpy.ops.mesh.select_all(action='SELECT')
bpy.ops.uv.smart_project(angle_limit=66, island_margin=.02, user_area_weight=0)
bpy.ops.mesh.edges_select_sharp(sharpness=.5)
bpy.ops.mesh.mark_sharp()
bpy.ops.object.editmode_toggle()
me = ob.data
me.use_auto_smooth = True
me.auto_smooth_angle = 3.14159
me.calc_normals_split()
nor = [Vector(l.normal) for l in me.loops]
me.normals_split_custom_set([n.lerp(Vector((0, 0, 1)), .2).normalized() for n in nor])
me.free_normals_split()
me.uv_layers.active.name = "Packed"
print(me.has_custom_normals)
bpy.ops.object.shade_smooth()

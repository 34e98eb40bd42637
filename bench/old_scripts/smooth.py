"""3.x: smoothing"""
import bpy
import math
bpy.ops.mesh.primitive_monkey_add()
obj = bpy.context.object
bpy.ops.object.shade_smooth(use_auto_smooth=True, auto_smooth_angle=math.radians(30))
obj.data.use_auto_smooth = 1
obj.data.auto_smooth_angle = math.radians(45)
mod = obj.modifiers.new("sub", 'SUBSURF')
mod.use_subsurf_uv = True
bpy.ops.object.modifier_apply(apply_as='DATA', modifier="sub")
for e in obj.data.edges:
    e.crease = 0.0
vc = obj.data.vertex_colors.new(name="Col")

import bpy

bpy.ops.object.shade_smooth(use_auto_smooth=True, auto_smooth_angle=0.6)

import bpy

bpy.ops.object.shade_auto_smooth(angle=0.6)

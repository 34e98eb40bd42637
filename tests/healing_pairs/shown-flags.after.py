import bpy

c = bpy.data.curves.new("Ring", "CURVE")
c.bevel_depth = 0.1

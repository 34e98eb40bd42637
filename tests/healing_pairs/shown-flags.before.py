import bpy

c = bpy.data.curves.new("Ring", "CURVE")
c.show_normal_face = False
c.bevel_depth = 0.1

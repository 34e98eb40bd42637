import bpy

rail = bpy.data.curves.new("Rail", 'CURVE')
profile = bpy.data.curves.new("Profile", 'CURVE')
rail.bevel_object = bpy.data.objects.new("Profile", profile)
rail.bevel_mode = 'OBJECT'

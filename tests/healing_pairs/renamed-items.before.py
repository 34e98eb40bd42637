import bpy

empty = bpy.data.objects.new("Empty", None)
empty.instance_type = "GROUP"

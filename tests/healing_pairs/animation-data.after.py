import bpy

cube = bpy.data.objects["Cube"]
cube.animation_data_create()
cube.animation_data.action = bpy.data.actions.new("Slide")

import bpy

mesh = bpy.data.objects["Cube"].data
mesh.use_auto_smooth = True
mesh.auto_smooth_angle = 0.7
mesh = bpy.data.meshes.new("First")
mesh.use_auto_smooth = True
mesh.auto_smooth_angle = 0.5
mesh = bpy.data.meshes.new("Second")
mesh.use_auto_smooth = True
mesh.auto_smooth_angle = 0.9

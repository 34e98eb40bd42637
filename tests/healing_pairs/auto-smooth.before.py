import bpy

mesh = bpy.data.objects["Cube"].data
mesh.use_auto_smooth = True
mesh.auto_smooth_angle = 0.7

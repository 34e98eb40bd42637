import bpy

mesh = bpy.data.objects["Cube"].data
mesh.set_sharp_from_angle(angle=0.7)

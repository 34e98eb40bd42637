import bpy

mesh = bpy.data.objects["Cube"].data
mesh.set_sharp_from_angle(angle=0.7)
mesh = bpy.data.meshes.new("First")
mesh.set_sharp_from_angle(angle=0.5)
mesh = bpy.data.meshes.new("Second")
mesh.set_sharp_from_angle(angle=0.9)

import bpy

red = bpy.data.materials.new("Red")
red.diffuse_color = (1, 0, 0, 1)
bpy.data.objects["Cube"].data.materials.append(red)

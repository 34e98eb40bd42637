import bpy

red = bpy.data.materials.new("Red")
red.diffuse_color = (1, 0, 0, 1)
red.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = red.diffuse_color
bpy.data.objects["Cube"].data.materials.append(red)

import bpy

tree = bpy.data.materials["Material"].node_tree
rough = tree.nodes.new("ShaderNodeTexImage")
rough.image = bpy.data.images.new("Rough", 8, 8)
rough.image.colorspace_settings.name = "Non-Color"
color = tree.nodes.new("ShaderNodeTexImage")
color.image = bpy.data.images.new("Color", 8, 8)

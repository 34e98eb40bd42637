import bpy

tree = bpy.data.materials["Material"].node_tree
rough = tree.nodes.new("ShaderNodeTexImage")
rough.color_space = 'NONE'
rough.image = bpy.data.images.new("Rough", 8, 8)
color = tree.nodes.new("ShaderNodeTexImage")
color.image = bpy.data.images.new("Color", 8, 8)
color.color_space = 'COLOR'

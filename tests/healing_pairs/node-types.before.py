import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
nodes = mat.node_tree.nodes
noise = nodes.new("ShaderNodeTexMusgrave")
split = nodes.new(type="ShaderNodeSeparateRGB")  # channels
hsv = nodes.new("ShaderNodeCombineHSV")

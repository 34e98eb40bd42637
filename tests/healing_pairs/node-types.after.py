import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
nodes = mat.node_tree.nodes
noise = nodes.new("ShaderNodeTexNoise")
noise.normalize = False
split = nodes.new(type="ShaderNodeSeparateColor")  # channels
hsv = nodes.new("ShaderNodeCombineColor")
hsv.mode = "HSV"

import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
nodes, links = mat.node_tree.nodes, mat.node_tree.links
split = nodes.new("ShaderNodeSeparateColor")
join = nodes.new("ShaderNodeCombineColor")
links.new(split.outputs["Red"], join.inputs["Blue"])
links.new(join.outputs["Color"], split.inputs["Color"])

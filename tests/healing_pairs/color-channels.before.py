import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
nodes, links = mat.node_tree.nodes, mat.node_tree.links
split = nodes.new("ShaderNodeSeparateColor")
join = nodes.new("ShaderNodeCombineColor")
links.new(split.outputs["R"], join.inputs["B"])
links.new(join.outputs["Image"], split.inputs["Image"])

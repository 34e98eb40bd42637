import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
noise = mat.node_tree.nodes.new("ShaderNodeTexNoise")
noise.inputs["W"].default_value = 2.0

import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
noise = mat.node_tree.nodes.new("ShaderNodeTexNoise")
noise.noise_dimensions = "4D"
noise.inputs["W"].default_value = 2.0

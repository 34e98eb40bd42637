import bpy

mat = bpy.data.materials.new("Bands")
mat.use_nodes = True
nodes = mat.node_tree.nodes
nodes.new("ShaderNodeValToRGB")
nodes["ColorRamp"].color_ramp.interpolation = "CONSTANT"
nodes["ColorRamp"].location = (-200, 0)
bpy.data.objects["Cube"].data.materials.append(mat)

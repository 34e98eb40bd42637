import bpy
ng = bpy.data.node_groups.new("Waves", "GeometryNodeTree")
ng.inputs.new("NodeSocketGeometry", "Geometry")
amp = ng.inputs.new("NodeSocketFloat", "Amplitude")
amp.default_value = .2
amp.min_value = 0.0
ng.outputs.new("NodeSocketGeometry", "Geometry")
n_in = ng.nodes.new("NodeGroupInput")
n_out = ng.nodes.new("NodeGroupOutput")
setpos = ng.nodes.new("GeometryNodeSetPosition")
pos = ng.nodes.new("GeometryNodeInputPosition")
sep = ng.nodes.new("ShaderNodeSeparateXYZ")
com = ng.nodes.new("ShaderNodeCombineXYZ")
m = ng.nodes.new("ShaderNodeMath")
m.operation = 'SINE'
ng.links.new(n_in.outputs[0], setpos.inputs["Geometry"])
ng.links.new(pos.outputs[0], sep.inputs[0])
ng.links.new(sep.outputs["X"], m.inputs[0])
ng.links.new(m.outputs[0], com.inputs["Z"])
ng.links.new(com.outputs[0], setpos.inputs["Offset"])
ng.links.new(setpos.outputs[0], n_out.inputs[0])
rnd = ng.nodes.new("FunctionNodeRandomValue")
cmp = ng.nodes.new("FunctionNodeCompareFloats")
bpy.ops.mesh.primitive_grid_add(x_subdivisions=20, y_subdivisions=20, size=4)
md = bpy.context.object.modifiers.new("W", 'NODES')
md.node_group = ng

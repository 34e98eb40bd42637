"""3.0: geometry nodes displacement by noise with set position, attribute statistic. Right: displaced grid, input on the modifier."""
import bpy
bpy.ops.mesh.primitive_grid_add(x_subdivisions=40, y_subdivisions=40, size=8)
ob = bpy.context.active_object
mod = ob.modifiers.new("Terrain", 'NODES')
g = mod.node_group
if g is None:
    g = bpy.data.node_groups.new("Terrain", 'GeometryNodeTree')
    g.inputs.new("NodeSocketGeometry", "Geometry")
    g.outputs.new("NodeSocketGeometry", "Geometry")
    g.nodes.new("NodeGroupInput")
    g.nodes.new("NodeGroupOutput")
    mod.node_group = g
i = g.nodes["Group Input"]
o = g.nodes["Group Output"]
h = g.inputs.new("NodeSocketFloat", "Height")
h.default_value = 1.5
h.min_value = 0
h.max_value = 5
sp = g.nodes.new("GeometryNodeSetPosition")
nz = g.nodes.new("ShaderNodeTexNoise")
nz.inputs["Scale"].default_value = .6
ma = g.nodes.new("ShaderNodeMath")
ma.operation = 'MULTIPLY'
cx = g.nodes.new("ShaderNodeCombineXYZ")
g.links.new(i.outputs["Geometry"], sp.inputs["Geometry"])
g.links.new(nz.outputs["Fac"], ma.inputs[0])
g.links.new(i.outputs["Height"], ma.inputs[1])
g.links.new(ma.outputs[0], cx.inputs["Z"])
g.links.new(cx.outputs[0], sp.inputs["Offset"])
g.links.new(sp.outputs[0], o.inputs[0])
mod["Input_%d" % 2] = 2.5
ob.data.use_auto_smooth = False

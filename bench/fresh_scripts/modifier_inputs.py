"""3.x: a nodes modifier whose inputs are set by identifier; one is a flag."""
import bpy

ng = bpy.data.node_groups.new("Lift", 'GeometryNodeTree')
ng.inputs.new("NodeSocketGeometry", "Geometry")
ng.inputs.new("NodeSocketBool", "Enable")
ng.inputs.new("NodeSocketFloat", "Height")
ng.outputs.new("NodeSocketGeometry", "Geometry")
a = ng.nodes.new("NodeGroupInput")
b = ng.nodes.new("NodeGroupOutput")
sw = ng.nodes.new("GeometryNodeSwitch")
tr = ng.nodes.new("GeometryNodeTransform")
xyz = ng.nodes.new("ShaderNodeCombineXYZ")
ng.links.new(a.outputs[2], xyz.inputs[2])
ng.links.new(a.outputs[0], tr.inputs[0])
ng.links.new(xyz.outputs[0], tr.inputs["Translation"])
ng.links.new(tr.outputs[0], b.inputs[0])
mod = bpy.data.objects["Cube"].modifiers.new("Lift", 'NODES')
mod.node_group = ng
mod[ng.inputs["Enable"].identifier] = 1
mod[ng.inputs["Height"].identifier] = 2

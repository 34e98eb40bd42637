"""3.x: geometry nodes by hand"""
import bpy
ng = bpy.data.node_groups.new('Scatter', 'GeometryNodeTree')
ng.inputs.new('NodeSocketGeometry', 'Geometry')
ng.inputs.new('NodeSocketFloat', 'Density')
ng.outputs.new('NodeSocketGeometry', 'Geometry')
ng.inputs['Density'].default_value = 5
ng.inputs[1].min_value = 0
gi = ng.nodes.new('NodeGroupInput')
go = ng.nodes.new('NodeGroupOutput')
dist = ng.nodes.new('GeometryNodeDistributePointsOnFaces')
inst = ng.nodes.new('GeometryNodeInstanceOnPoints')
cube = ng.nodes.new('GeometryNodeMeshCube')
cube.inputs['Size'].default_value = (.1, .1, .1)
ng.links.new(gi.outputs['Geometry'], dist.inputs['Mesh'])
ng.links.new(gi.outputs['Density'], dist.inputs['Density'])
ng.links.new(dist.outputs['Points'], inst.inputs['Points'])
ng.links.new(cube.outputs['Mesh'], inst.inputs['Instance'])
ng.links.new(inst.outputs['Instances'], go.inputs['Geometry'])
m = bpy.context.object.modifiers.new('GN', 'NODES')
m.node_group = ng
m["Input_1"] = 10.0

"""3.0: points scattered on a grid by geometry nodes, made by hand."""
import bpy

bpy.ops.mesh.primitive_grid_add(size=6)
ob = bpy.context.object
mod = ob.modifiers.new("Scatter", 'NODES')
group = bpy.data.node_groups.new("Scatter", 'GeometryNodeTree')
group.inputs.new('NodeSocketGeometry', "Geometry")
density = group.inputs.new('NodeSocketFloat', "Density")
density.default_value = 3
density.min_value = 0
group.outputs.new('NodeSocketGeometry', "Geometry")
mod.node_group = group
n_in = group.nodes.new('NodeGroupInput')
n_out = group.nodes.new('NodeGroupOutput')
points = group.nodes.new('GeometryNodeDistributePointsOnFaces')
inst = group.nodes.new('GeometryNodeInstanceOnPoints')
cube = group.nodes.new('GeometryNodeMeshCube')
cube.inputs['Size'].default_value = (0.2, 0.2, 0.2)
group.links.new(n_in.outputs['Geometry'], points.inputs['Mesh'])
group.links.new(n_in.outputs['Density'], points.inputs['Density'])
group.links.new(points.outputs['Points'], inst.inputs['Points'])
group.links.new(cube.outputs['Mesh'], inst.inputs['Instance'])
group.links.new(inst.outputs['Instances'], n_out.inputs['Geometry'])
mod["Input_1"] = 8

"""3.x: a geometry node group with its sockets."""
import bpy

group = bpy.data.node_groups.new("Scatter", 'GeometryNodeTree')
group.inputs.new('NodeSocketGeometry', "Geometry")
group.inputs.new('NodeSocketFloat', "Density")
group.outputs.new('NodeSocketGeometry', "Geometry")
start = group.nodes.new('NodeGroupInput')
end = group.nodes.new('NodeGroupOutput')
points = group.nodes.new('GeometryNodeDistributePointsOnFaces')
group.links.new(start.outputs["Geometry"], points.inputs["Mesh"])
group.links.new(start.outputs["Density"], points.inputs["Density"])
group.links.new(points.outputs["Points"], end.inputs["Geometry"])
cube = bpy.data.objects["Cube"]
cube.modifiers.new("Scatter", 'NODES').node_group = group

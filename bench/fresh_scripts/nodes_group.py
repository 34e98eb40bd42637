"""3.3: geometry nodes group made by code. Right: scattered instances on the grid, two interface sockets, modifier value set."""
import bpy

ng = bpy.data.node_groups.new("Scatter", 'GeometryNodeTree')
ng.inputs.new('NodeSocketGeometry', "Geometry")
ng.inputs.new('NodeSocketFloat', "Density")
ng.inputs["Density"].default_value = 5
ng.inputs["Density"].min_value = 0
ng.outputs.new('NodeSocketGeometry', "Geometry")
gin = ng.nodes.new('NodeGroupInput')
gout = ng.nodes.new('NodeGroupOutput')
dist = ng.nodes.new('GeometryNodeDistributePointsOnFaces')
inst = ng.nodes.new('GeometryNodeInstanceOnPoints')
cone = ng.nodes.new('GeometryNodeMeshCone')
cone.inputs['Radius Bottom'].default_value = .1
cone.inputs['Depth'].default_value = .4
rnd = ng.nodes.new('FunctionNodeRandomValue')
rnd.data_type = 'FLOAT_VECTOR'
rnd.inputs[0].default_value = (.5, .5, .5)
join = ng.nodes.new('GeometryNodeJoinGeometry')
ng.links.new(gin.outputs["Geometry"], dist.inputs["Mesh"])
ng.links.new(gin.outputs["Density"], dist.inputs["Density"])
ng.links.new(dist.outputs["Points"], inst.inputs["Points"])
ng.links.new(cone.outputs["Mesh"], inst.inputs["Instance"])
ng.links.new(rnd.outputs[0], inst.inputs["Scale"])
ng.links.new(inst.outputs["Instances"], join.inputs[0])
ng.links.new(gin.outputs[0], join.inputs[0])
ng.links.new(join.outputs[0], gout.inputs[0])
bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=4)
ob = bpy.context.object
m = ob.modifiers.new("GN", 'NODES')
m.node_group = ng
m[ng.inputs["Density"].identifier] = 20.0
ob.update_tag()

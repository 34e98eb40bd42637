import bpy

group = bpy.data.node_groups.new("Grow", "GeometryNodeTree")
group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
group.interface.new_socket("Size", in_out="INPUT", socket_type="NodeSocketFloat")
grow = bpy.data.objects["Cube"].modifiers.new("Grow", "NODES")
grow.node_group = group
grow["Socket_1"] = 3.0
for number, size in ((1, 2.0),):
    grow["Socket_%d" % number] = size
grow[f"Socket_{number}"] = 1.0

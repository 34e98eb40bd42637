import bpy

group = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
group.interface.new_socket(name="Density", in_out="INPUT", socket_type="NodeSocketFloat")
next(one for one in group.interface.items_tree if one.item_type == "SOCKET" and one.in_out == "INPUT" and one.name == "Density").default_value = 5
[one for one in group.interface.items_tree if one.item_type == "SOCKET" and one.in_out == "INPUT"][0].min_value = 0
print(len([one for one in group.interface.items_tree if one.item_type == "SOCKET" and one.in_out == "OUTPUT"]))

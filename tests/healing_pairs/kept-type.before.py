import bpy

group = bpy.data.node_groups.new("Door", "GeometryNodeTree")
is_open = group.interface.new_socket("Open", in_out="INPUT", socket_type="NodeSocketBool")
door = bpy.data.objects["Cube"].modifiers.new("Door", "NODES")
door.node_group = group
door[is_open.identifier] = 1

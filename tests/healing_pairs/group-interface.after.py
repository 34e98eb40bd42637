import bpy

group = bpy.data.node_groups.new("Group", "ShaderNodeTree")
group.interface.new_socket(name="Amount", in_out="INPUT", socket_type="NodeSocketFloat")
group.interface.new_socket(name="Result", in_out="OUTPUT", socket_type="NodeSocketColor")

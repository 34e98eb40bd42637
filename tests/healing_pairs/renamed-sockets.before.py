import bpy

tree = bpy.data.node_groups.new("Comp", "CompositorNodeTree")
turn = tree.nodes.new("CompositorNodeRotate")
turn.inputs["Degr"].default_value = 0.5

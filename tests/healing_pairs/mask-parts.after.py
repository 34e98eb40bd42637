import bpy

tree = bpy.data.node_groups.new("Comp", "CompositorNodeTree")
mask = tree.nodes.new("CompositorNodeBoxMask")
mask.inputs["Size"].default_value[0] = 0.3

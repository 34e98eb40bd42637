import bpy

tree = bpy.data.node_groups.new("Comp", "CompositorNodeTree")
mask = tree.nodes.new("CompositorNodeBoxMask")
mask.width = 0.3

import bpy

group = bpy.data.node_groups.new("Glow", "CompositorNodeTree")
blur = group.nodes.new("CompositorNodeBlur")
blur.use_relative = False
blur.size_x = 10
blur.size_y = 20
glare = group.nodes.new("CompositorNodeGlare")
glare.size = 8

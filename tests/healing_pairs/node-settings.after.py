import bpy

group = bpy.data.node_groups.new("Glow", "CompositorNodeTree")
blur = group.nodes.new("CompositorNodeBlur")
blur.inputs["Size"].default_value = (10, 20)
glare = group.nodes.new("CompositorNodeGlare")
glare.inputs["Size"].default_value = 2 ** (8 - 9)

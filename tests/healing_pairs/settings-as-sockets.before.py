import bpy

tree = bpy.data.node_groups.new("Comp", "CompositorNodeTree")
glare = tree.nodes.new("CompositorNodeGlare")
glare.glare_type = "FOG_GLOW"
glare.threshold = 0.5
glare.quality = "HIGH"

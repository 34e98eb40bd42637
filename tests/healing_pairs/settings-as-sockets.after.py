import bpy

tree = bpy.data.node_groups.new("Comp", "CompositorNodeTree")
glare = tree.nodes.new("CompositorNodeGlare")
glare.inputs["Type"].default_value = "Fog Glow"
glare.inputs["Threshold"].default_value = 0.5
glare.inputs["Quality"].default_value = "High"

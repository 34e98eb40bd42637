import bpy

group = bpy.data.node_groups.new("Passes", "CompositorNodeTree")
layers = group.nodes.new("CompositorNodeRLayers")
output = group.nodes.new("CompositorNodeOutputFile")
output.base_path = "//passes"
output.file_slots.new("depth")
group.links.new(layers.outputs["Image"], output.inputs[0])

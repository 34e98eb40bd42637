import bpy

group = bpy.data.node_groups.new("Passes", "CompositorNodeTree")
layers = group.nodes.new("CompositorNodeRLayers")
output = group.nodes.new("CompositorNodeOutputFile")
output.file_output_items.new("RGBA", "Image")
output.directory = "//passes"
output.file_output_items.new("RGBA", "depth")
group.links.new(layers.outputs["Image"], output.inputs[0])

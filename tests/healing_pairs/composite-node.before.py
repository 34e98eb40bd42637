import bpy

tree = bpy.data.node_groups.new("Comp", "CompositorNodeTree")
layers = tree.nodes.new("CompositorNodeRLayers")
composite = tree.nodes.new(type="CompositorNodeComposite")
composite.location = (400, 0)
tree.links.new(layers.outputs["Image"], composite.inputs["Image"])

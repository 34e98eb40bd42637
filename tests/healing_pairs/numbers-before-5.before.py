import bpy

scene = bpy.context.scene
scene.use_nodes = True
tree = scene.node_tree
layers = tree.nodes.new("CompositorNodeRLayers")
alpha = tree.nodes.new("CompositorNodeAlphaOver")
picture = tree.nodes.new("CompositorNodeImage")
tree.links.new(picture.outputs[0], alpha.inputs[1])
tree.links.new(layers.outputs[0], alpha.inputs[2])

import bpy

scene = bpy.context.scene
scene.use_nodes = True
if scene.compositing_node_group is None:
    scene.compositing_node_group = bpy.data.node_groups.new("Compositing", "CompositorNodeTree")
tree = scene.compositing_node_group
layers = tree.nodes.new("CompositorNodeRLayers")
alpha = tree.nodes.new("CompositorNodeAlphaOver")
picture = tree.nodes.new("CompositorNodeImage")
tree.links.new(picture.outputs[0], alpha.inputs["Background"])
tree.links.new(layers.outputs[0], alpha.inputs["Foreground"])

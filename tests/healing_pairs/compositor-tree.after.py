import bpy

scene = bpy.context.scene
scene.use_nodes = True
if scene.compositing_node_group is None:
    scene.compositing_node_group = bpy.data.node_groups.new("Compositing", "CompositorNodeTree")
tree = scene.compositing_node_group
for node in tree.nodes:
    tree.nodes.remove(node)
layers = tree.nodes.new("CompositorNodeRLayers")
scene.compositing_node_group.nodes.active = layers

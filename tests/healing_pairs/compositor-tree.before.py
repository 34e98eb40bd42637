import bpy

scene = bpy.context.scene
scene.use_nodes = True
tree = scene.node_tree
for node in tree.nodes:
    tree.nodes.remove(node)
layers = tree.nodes.new("CompositorNodeRLayers")
scene.node_tree.nodes.active = layers

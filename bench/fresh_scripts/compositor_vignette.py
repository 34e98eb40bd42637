"""2.8x: a vignette in the compositor."""
import bpy

scene = bpy.context.scene
scene.use_nodes = True
tree = scene.node_tree
for n in tree.nodes:
    tree.nodes.remove(n)
rl = tree.nodes.new('CompositorNodeRLayers')
mask = tree.nodes.new('CompositorNodeEllipseMask')
mask.width = 0.9
mask.height = 0.7
blur = tree.nodes.new('CompositorNodeBlur')
blur.size_x = 120
blur.size_y = 120
blur.filter_type = 'FAST_GAUSS'
mix = tree.nodes.new('CompositorNodeMixRGB')
mix.blend_type = 'MULTIPLY'
mix.inputs[0].default_value = 0.7
comp = tree.nodes.new('CompositorNodeComposite')
tree.links.new(mask.outputs[0], blur.inputs[0])
tree.links.new(rl.outputs['Image'], mix.inputs[1])
tree.links.new(blur.outputs[0], mix.inputs[2])
tree.links.new(mix.outputs[0], comp.inputs[0])

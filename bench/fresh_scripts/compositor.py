"""2.9: glow, lens distortion and colour balance in the compositor. Right: the same chain as a compositing group."""
import bpy
sc = bpy.context.scene
sc.use_nodes = True
tree = sc.node_tree
for n in tree.nodes:
    tree.nodes.remove(n)
rl = tree.nodes.new('CompositorNodeRLayers')
rl.location = 0, 0
glare = tree.nodes.new('CompositorNodeGlare')
glare.glare_type = 'STREAKS'
glare.streaks = 6
glare.threshold = .8
lens = tree.nodes.new('CompositorNodeLensdist')
lens.inputs['Distort'].default_value = .03
lens.inputs['Dispersion'].default_value = .02
lens.use_fit = True
cb = tree.nodes.new('CompositorNodeColorBalance')
cb.lift = (.95, .95, 1.05)
cb.gain = (1.05, 1.0, .95)
blur = tree.nodes.new('CompositorNodeBlur')
blur.filter_type = 'GAUSS'
blur.size_x = 3
blur.size_y = 3
mix = tree.nodes.new('CompositorNodeMixRGB')
mix.blend_type = 'SCREEN'
mix.inputs[0].default_value = .4
comp = tree.nodes.new('CompositorNodeComposite')
view = tree.nodes.new('CompositorNodeViewer')
L = tree.links.new
L(rl.outputs['Image'], glare.inputs['Image'])
L(glare.outputs['Image'], lens.inputs['Image'])
L(lens.outputs['Image'], blur.inputs['Image'])
L(lens.outputs[0], mix.inputs[1])
L(blur.outputs[0], mix.inputs[2])
L(mix.outputs[0], cb.inputs['Image'])
L(cb.outputs[0], comp.inputs['Image'])
L(cb.outputs[0], view.inputs[0])

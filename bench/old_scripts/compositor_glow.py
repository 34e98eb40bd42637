"""4.x: compositor glow"""
import bpy
sc = bpy.context.scene
sc.use_nodes = True
tree = sc.node_tree
for n in tree.nodes:
    tree.nodes.remove(n)
rl = tree.nodes.new('CompositorNodeRLayers')
glare = tree.nodes.new('CompositorNodeGlare')
glare.glare_type = 'FOG_GLOW'
glare.quality = 'HIGH'
glare.size = 8
glare.threshold = .5
blur = tree.nodes.new('CompositorNodeBlur')
blur.size_x = 10
blur.size_y = 10
mix = tree.nodes.new('CompositorNodeMixRGB')
mix.blend_type = 'SCREEN'
mix.inputs['Fac'].default_value = .3
comp = tree.nodes.new('CompositorNodeComposite')
view = tree.nodes.new('CompositorNodeViewer')
tree.links.new(rl.outputs['Image'], glare.inputs['Image'])
tree.links.new(glare.outputs['Image'], blur.inputs['Image'])
tree.links.new(rl.outputs[0], mix.inputs[1])
tree.links.new(blur.outputs[0], mix.inputs[2])
tree.links.new(mix.outputs[0], comp.inputs['Image'])
tree.links.new(mix.outputs[0], view.inputs[0])

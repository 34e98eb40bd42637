"""2.79: mist and Z passes mixed in the compositor, vignette by ellipse mask, file output. Right: same chain in the compositing group."""
import bpy
s = bpy.context.scene
s.render.layers["RenderLayer"].use_pass_mist = True
s.render.layers[0].use_pass_z = True
s.world.mist_settings.use_mist = True
s.world.mist_settings.start = 2
s.world.mist_settings.depth = 20
s.use_nodes = True
t = s.node_tree
for n in list(t.nodes):
    t.nodes.remove(n)
rl = t.nodes.new("CompositorNodeRLayers")
norm = t.nodes.new("CompositorNodeNormalize")
mix = t.nodes.new("CompositorNodeMixRGB")
mix.inputs[2].default_value = (.7, .8, .9, 1)
mask = t.nodes.new("CompositorNodeEllipseMask")
mask.width = .9
mask.height = .7
blur = t.nodes.new("CompositorNodeBlur")
blur.use_relative = True
blur.factor_x = 20
blur.factor_y = 20
mul = t.nodes.new("CompositorNodeMixRGB")
mul.blend_type = 'MULTIPLY'
comp = t.nodes.new("CompositorNodeComposite")
t.links.new(rl.outputs["Z"], norm.inputs[0])
t.links.new(norm.outputs[0], mix.inputs[0])
t.links.new(rl.outputs["Image"], mix.inputs[1])
t.links.new(mask.outputs[0], blur.inputs[0])
t.links.new(mix.outputs[0], mul.inputs[1])
t.links.new(blur.outputs[0], mul.inputs[2])
t.links.new(mul.outputs[0], comp.inputs["Image"])

"""3.x: file output node"""
import bpy
bpy.context.scene.use_nodes = True
nodes = bpy.context.scene.node_tree.nodes
links = bpy.context.scene.node_tree.links
rl = nodes["Render Layers"]
fo = nodes.new(type="CompositorNodeOutputFile")
fo.base_path = "//out"
fo.format.file_format = 'PNG'
fo.file_slots.new("depth")
fo.file_slots[0].path = "image_"
links.new(rl.outputs["Image"], fo.inputs[0])
bright = nodes.new("CompositorNodeBrightContrast")
hue = nodes.new("CompositorNodeHueSat")
math = nodes.new("CompositorNodeMath")
math.operation = 'MULTIPLY'
norm = nodes.new("CompositorNodeNormalize")
links.new(rl.outputs["Depth"], norm.inputs[0])

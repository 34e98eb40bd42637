"""4.2: a file output and a lens distortion in the compositor."""
import bpy

sc = bpy.context.scene
sc.use_nodes = True
t = sc.node_tree
t.nodes.clear()
r = t.nodes.new("CompositorNodeRLayers")
lens = t.nodes.new("CompositorNodeLensdist")
lens.use_fit = True
lens.inputs["Distort"].default_value = 0.05
bc = t.nodes.new("CompositorNodeBrightContrast")
bc.inputs["Bright"].default_value = 10
f = t.nodes.new("CompositorNodeOutputFile")
f.base_path = "/tmp/"
f.file_slots[0].path = "frame_"
f.format.file_format = 'PNG'
c = t.nodes.new("CompositorNodeComposite")
t.links.new(r.outputs["Image"], lens.inputs["Image"])
t.links.new(lens.outputs["Image"], bc.inputs["Image"])
t.links.new(bc.outputs["Image"], f.inputs[0])
t.links.new(bc.outputs["Image"], c.inputs["Image"])

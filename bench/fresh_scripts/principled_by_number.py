"""2.8x: a skin material by socket numbers."""
import bpy

mat = bpy.data.materials.new("Skin")
mat.use_nodes = True
p = mat.node_tree.nodes.get("Principled BSDF")
p.inputs[0].default_value = (0.8, 0.5, 0.4, 1)
p.inputs[1].default_value = 0.2
p.inputs[3].default_value = (0.9, 0.3, 0.2, 1)
p.inputs[7].default_value = 0.4
p.inputs[17].default_value = (0, 0, 0, 1)
bpy.data.objects["Cube"].data.materials[0] = mat

"""3.x: sockets by number"""
import bpy
mat = bpy.data.materials.new("Lamp")
mat.use_nodes = True
b = mat.node_tree.nodes["Principled BSDF"]
b.inputs[0].default_value = (1, 1, 1, 1)
b.inputs[4].default_value = 0.5
b.inputs[7].default_value = 0.2
b.inputs[17].default_value = (1, .6, .2, 1)
b.inputs[18].default_value = 4

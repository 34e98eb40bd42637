import bpy

wax = bpy.data.materials.new("Wax")
wax.use_nodes = True
shader = wax.node_tree.nodes["Principled BSDF"]
shader.inputs["Base Color"].default_value = (1, 0.5, 0, 1)
shader.inputs["Sheen Tint"].default_value = 0.5
shader.inputs["Subsurface Color"].default_value = (1, 0, 0, 1)

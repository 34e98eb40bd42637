import bpy

glow = bpy.data.materials.new("Glow")
glow.use_nodes = True
shader = glow.node_tree.nodes["Principled BSDF"]
shader.inputs[7].default_value = 0.2
shader.inputs[9].default_value = 0.4
shader.inputs[19].default_value = (1, 0.5, 0, 1)
shader.inputs[20].default_value = 3

import bpy

glow = bpy.data.materials.new("Glow")
glow.use_nodes = True
shader = glow.node_tree.nodes["Principled BSDF"]
shader.inputs["Specular IOR Level"].default_value = 0.2
shader.inputs["Roughness"].default_value = 0.4
shader.inputs["Emission Color"].default_value = (1, 0.5, 0, 1)
shader.inputs["Emission Strength"].default_value = 3

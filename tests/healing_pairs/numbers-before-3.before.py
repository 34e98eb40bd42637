import bpy

material = bpy.data.materials.new("Brass")
bpy.context.object.select = True
shader = material.node_tree.nodes["Principled BSDF"]
shader.inputs[4].default_value = 1.0
shader.inputs[7].default_value = 0.2

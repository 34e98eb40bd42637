import bpy

material = bpy.data.materials.new("Brass")
bpy.context.object.select_set(True)
shader = material.node_tree.nodes["Principled BSDF"]
shader.inputs["Metallic"].default_value = 1.0
shader.inputs["Roughness"].default_value = 0.2

import bpy

material = bpy.data.materials.new("Ice")
material.use_nodes = True
principled = material.node_tree.nodes["Principled BSDF"]
principled.inputs[0].default_value = (0.1, 0.4, 1.0, 1.0)
# 7: roughness
principled.inputs[7].default_value = 0.2
principled.inputs[4].default_value = 0.5  # Metalic
principled.inputs[15].default_value = 1.0
bpy.context.object.data.materials.append(material)

import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
bsdf = mat.node_tree.nodes["Principled BSDF"]
bsdf.inputs["Specular IOR Level"].default_value = 0.2
bsdf.inputs["Emission Color"].default_value = (1, 0.5, 0, 1)
bsdf.inputs["Emission Strength"].default_value = 3
bsdf.inputs["Subsurface Weight"].default_value = 0.1
bsdf.inputs.get("Coat Weight").default_value = 1
sockets = bsdf.inputs
sockets["Coat Weight"].default_value = 0.5

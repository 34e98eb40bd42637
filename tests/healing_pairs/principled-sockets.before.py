import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
bsdf = mat.node_tree.nodes["Principled BSDF"]
bsdf.inputs["Specular"].default_value = 0.2
bsdf.inputs["Emission"].default_value = (1, 0.5, 0, 1)
bsdf.inputs["Emission Strength"].default_value = 3
bsdf.inputs['Subsurface'].default_value = 0.1
bsdf.inputs.get("Clearcoat").default_value = 1
sockets = bsdf.inputs
sockets["Clearcoat"].default_value = 0.5

import bpy

mat = bpy.data.materials.new("Glow")
mat.use_nodes = True
bsdf = mat.node_tree.nodes["Principled BSDF"]
bsdf.inputs["Emission Color"].default_value = (1, 0.5, 0, 1)
bpy.data.objects["Cube"].data.materials.append(mat)

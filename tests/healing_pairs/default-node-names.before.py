import bpy

mat = bpy.data.materials.new("Mat")
mat.use_nodes = True
mat.node_tree.nodes["Diffuse BSDF"].inputs["Color"].default_value = (1, 0, 0, 1)

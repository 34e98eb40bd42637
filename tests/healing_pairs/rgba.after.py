import bpy

mat = bpy.data.materials.new("Mat")
mat.diffuse_color = (1, 0.5, 0, 1.0)
bpy.context.scene.world.color = (0.1, 0.1, 0.2)
print(list(mat.diffuse_color), mat.use_nodes, "node_tree")

import bpy

bpy.context.scene.update()
tree = bpy.data.materials.new("Bark").node_tree
voronoi = tree.nodes.new("ShaderNodeTexVoronoi")
voronoi.inputs[2].default_value = 8.0
voronoi.inputs[5].default_value = 0.4

import bpy

bpy.context.view_layer.update()
tree = bpy.data.materials.new("Bark").node_tree
voronoi = tree.nodes.new("ShaderNodeTexVoronoi")
voronoi.inputs[2].default_value = 8.0
voronoi.inputs["Randomness"].default_value = 0.4

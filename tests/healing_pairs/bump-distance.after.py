import bpy

bpy.context.view_layer.update()
tree = bpy.data.materials.new("Bark").node_tree
bump = tree.nodes.new("ShaderNodeBump")
bump.inputs["Distance"].default_value = 1.0
bump.inputs["Strength"].default_value = 0.5

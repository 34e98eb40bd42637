import bpy

bpy.context.scene.update()
tree = bpy.data.materials.new("Bark").node_tree
bump = tree.nodes.new("ShaderNodeBump")
bump.inputs["Strength"].default_value = 0.5

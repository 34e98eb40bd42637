import bpy

bpy.context.scene.update()
tree = bpy.data.materials.new("Bark").node_tree
noise = tree.nodes.new("ShaderNodeTexNoise")
bump = tree.nodes.new("ShaderNodeBump")
bump.inputs["Distance"].default_value = 0.02
tree.links.new(noise.outputs[0], bump.inputs[2])

import bpy

tree = bpy.data.materials["Material"].node_tree
mapping = tree.nodes.new("ShaderNodeMapping")
mapping.scale = (2, 2, 2)
mapping.rotation[2] = 0.5
mapping.translation.x += 1

import bpy

tree = bpy.data.materials["Material"].node_tree
mapping = tree.nodes.new("ShaderNodeMapping")
mapping.inputs["Scale"].default_value = (2, 2, 2)
mapping.inputs["Rotation"].default_value[2] = 0.5
mapping.inputs["Location"].default_value.x += 1

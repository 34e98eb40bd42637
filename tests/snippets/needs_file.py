"""needs_file: puts a wood texture on the cube, from a picture beside a .blend that nobody sent."""

import bpy

material = bpy.data.materials.new("Wood")
material.use_nodes = True
nodes = material.node_tree.nodes
texture = nodes.new("ShaderNodeTexImage")
texture.image = bpy.data.images.load("//textures/wood.png")
material.node_tree.links.new(nodes["Principled BSDF"].inputs["Base Color"], texture.outputs["Color"])
bpy.data.objects["Cube"].data.materials[0] = material

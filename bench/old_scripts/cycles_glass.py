"""2.7x: a Cycles material built from nodes of a new material."""
import bpy

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.render.tile_x = 256
scene.render.tile_y = 256
mat = bpy.data.materials.new("Glass")
mat.use_nodes = True
nodes = mat.node_tree.nodes
links = mat.node_tree.links
nodes["Diffuse BSDF"].inputs["Color"].default_value = (0.2, 0.6, 0.9, 1)
glass = nodes.new('ShaderNodeBsdfGlass')
split = nodes.new('ShaderNodeSeparateRGB')
links.new(split.outputs['R'], glass.inputs['Roughness'])
links.new(glass.outputs[0], nodes["Material Output"].inputs[0])
bpy.context.object.data.materials.append(mat)

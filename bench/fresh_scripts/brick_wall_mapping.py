"""2.7x: a brick wall with a Mapping node, a velvet sheen and Glossy."""
import bpy, math

mat = bpy.data.materials.get('BrickWall') or bpy.data.materials.new('BrickWall')
mat.use_nodes = True
nt = mat.node_tree
nt.nodes.clear()

out = nt.nodes.new('ShaderNodeOutputMaterial')
out.location = 600, 0
diff = nt.nodes.new('ShaderNodeBsdfDiffuse')
gloss = nt.nodes.new('ShaderNodeBsdfGlossy')
gloss.inputs['Roughness'].default_value = .35
mix = nt.nodes.new('ShaderNodeMixShader')
mix.inputs['Fac'].default_value = .1
coord = nt.nodes.new('ShaderNodeTexCoord')
mapping = nt.nodes.new('ShaderNodeMapping')
mapping.vector_type = 'TEXTURE'
mapping.scale = (0.5, 0.5, 0.5)
mapping.rotation[2] = math.radians(90)
mapping.translation.x = 0.25
brick = nt.nodes.new('ShaderNodeTexBrick')
brick.inputs['Color1'].default_value = (0.5, 0.1, 0.05, 1)
brick.inputs['Color2'].default_value = (0.4, 0.08, 0.05, 1)
brick.inputs['Scale'].default_value = 8
velvet = nt.nodes.new('ShaderNodeBsdfVelvet')
velvet.inputs['Sigma'].default_value = 0.4
add = nt.nodes.new('ShaderNodeAddShader')

L = nt.links.new
L(coord.outputs['Generated'], mapping.inputs['Vector'])
L(mapping.outputs['Vector'], brick.inputs['Vector'])
L(brick.outputs['Color'], diff.inputs['Color'])
L(diff.outputs[0], mix.inputs[1])
L(gloss.outputs[0], mix.inputs[2])
L(mix.outputs[0], add.inputs[0])
L(velvet.outputs['BSDF'], add.inputs[1])
L(add.outputs[0], out.inputs['Surface'])

ob = bpy.context.scene.objects['Cube']
ob.data.materials[0] = mat

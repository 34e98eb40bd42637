"""2.8x: image settings and nodes"""
import bpy
scene = bpy.context.scene
scene.render.image_settings.file_format = 'OPEN_EXR_MULTILAYER'
scene.render.image_settings.color_depth = '16'
scene.render.resolution_percentage = 50
mat = bpy.context.object.active_material
mat.use_nodes = True
bsdf = mat.node_tree.nodes["Principled BSDF"]
mix = mat.node_tree.nodes.new('ShaderNodeMixShader')
gl = mat.node_tree.nodes.new('ShaderNodeBsdfGlossy')
gl.distribution = 'GGX'
gl.inputs['Roughness'].default_value = .1
hair = mat.node_tree.nodes.new('ShaderNodeBsdfAnisotropic')
mat.node_tree.links.new(bsdf.outputs[0], mix.inputs[1])
mat.node_tree.links.new(gl.outputs[0], mix.inputs[2])
bsdf.inputs['Clearcoat'].default_value = 1
bsdf.inputs['Clearcoat Roughness'].default_value = .1
bsdf.inputs.get('Specular').default_value = .2
bsdf.subsurface_method = 'RANDOM_WALK'

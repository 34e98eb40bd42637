"""2.81 node helper: car paint. Right: coat, metallic, specular and sheen inputs under the new names, flake noise linked."""
import bpy

mat = bpy.data.materials.new("CarPaint")
mat.use_nodes = True
nt = mat.node_tree
nt.nodes.clear()
out = nt.nodes.new('ShaderNodeOutputMaterial')
bsdf = nt.nodes.new('ShaderNodeBsdfPrincipled')
bsdf.inputs['Base Color'].default_value = (.6, .02, .02, 1)
bsdf.inputs['Metallic'].default_value = .6
bsdf.inputs['Specular'].default_value = .7
bsdf.inputs['Clearcoat'].default_value = 1.0
bsdf.inputs['Clearcoat Roughness'].default_value = .03
bsdf.inputs['Sheen Tint'].default_value = .5
mus = nt.nodes.new(type='ShaderNodeTexMusgrave')
mus.musgrave_type = 'RIDGED_MULTIFRACTAL'
mus.inputs['Scale'].default_value = 200
mus.inputs['Detail'].default_value = 3
mix = nt.nodes.new('ShaderNodeMixRGB')
mix.blend_type = 'OVERLAY'
mix.inputs['Fac'].default_value = .3
mix.inputs['Color1'].default_value = (.6, .02, .02, 1)
sep = nt.nodes.new('ShaderNodeSeparateRGB')
comb = nt.nodes.new('ShaderNodeCombineRGB')
nt.links.new(mus.outputs['Fac'], mix.inputs['Color2'])
nt.links.new(mix.outputs['Color'], sep.inputs['Image'])
nt.links.new(sep.outputs['R'], comb.inputs['R'])
nt.links.new(sep.outputs['G'], comb.inputs['G'])
nt.links.new(comb.outputs['Image'], bsdf.inputs['Base Color'])
nt.links.new(bsdf.outputs['BSDF'], out.inputs['Surface'])
bpy.ops.mesh.primitive_uv_sphere_add(segments=48, ring_count=24, radius=1)
ob = bpy.context.object
ob.data.materials.append(mat)
ob.data.use_auto_smooth = True
ob.data.auto_smooth_angle = 1.04
bpy.ops.object.shade_smooth()

"""3.x: shader nodes"""
import bpy
mat = bpy.data.materials.new("Rock")
mat.use_nodes = True
N = mat.node_tree.nodes
L = mat.node_tree.links
N.clear()
out = N.new(type="ShaderNodeOutputMaterial")
pr = N.new(type="ShaderNodeBsdfPrincipled")
mus = N.new(type="ShaderNodeTexMusgrave")
mus.musgrave_type = 'RIDGED_MULTIFRACTAL'
mus.inputs["Scale"].default_value = 4
mus.inputs["Detail"].default_value = 8
mus.inputs["Dimension"].default_value = 1
sep = N.new(type="ShaderNodeSeparateRGB")
com = N.new(type="ShaderNodeCombineRGB")
mix = N.new(type="ShaderNodeMixRGB")
mix.blend_type = 'MULTIPLY'
mix.inputs[0].default_value = 1
vel = N.new("ShaderNodeBsdfVelvet")
L.new(mus.outputs["Fac"], mix.inputs["Color1"])
L.new(mix.outputs["Color"], sep.inputs["Image"])
L.new(sep.outputs["R"], com.inputs["G"])
L.new(com.outputs["Image"], pr.inputs["Base Color"])
L.new(pr.outputs["BSDF"], out.inputs["Surface"])
noise = N.new("ShaderNodeTexNoise")
noise.inputs["W"].default_value = 2

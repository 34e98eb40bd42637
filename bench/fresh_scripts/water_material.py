"""2.82: water with bump, transmission and volume absorption. Right: same nodes, transmission 1, bump from two noises."""
import bpy
m = bpy.data.materials.new("Water")
m.use_nodes = True
n, l = m.node_tree.nodes, m.node_tree.links
p = n.get("Principled BSDF")
p.inputs[0].default_value = (.8, .9, 1, 1)
p.inputs["Transmission"].default_value = 1.0
p.inputs["Roughness"].default_value = 0.0
p.inputs["Emission"].default_value = (0, 0, 0, 1)
n1 = n.new("ShaderNodeTexNoise")
n1.inputs["Scale"].default_value = 3
n1.inputs["Distortion"].default_value = 1
w = n.new("ShaderNodeTexWave")
w.wave_type = 'RINGS'
w.inputs["Detail"].default_value = 1
mixc = n.new("ShaderNodeMixRGB")
mixc.use_clamp = True
l.new(n1.outputs["Fac"], mixc.inputs["Color1"])
l.new(w.outputs["Color"], mixc.inputs["Color2"])
bmp = n.new("ShaderNodeBump")
bmp.inputs["Strength"].default_value = .2
l.new(mixc.outputs["Color"], bmp.inputs["Height"])
l.new(bmp.outputs["Normal"], p.inputs["Normal"])
va = n.new("ShaderNodeVolumeAbsorption")
va.inputs["Density"].default_value = .1
l.new(va.outputs["Volume"], n["Material Output"].inputs["Volume"])
m.blend_method = 'HASHED'
m.shadow_method = 'HASHED'
m.use_sss_translucency = True
bpy.ops.mesh.primitive_grid_add(x_subdivisions=30, y_subdivisions=30, size=6)
bpy.context.object.data.materials.append(m)
bpy.context.scene.eevee.use_ssr = True
bpy.context.scene.eevee.use_ssr_refraction = True

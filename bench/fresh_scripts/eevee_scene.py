"""2.83 product shot: eevee settings, area light, shadows, bloom. Right: same scene, settings that exist; Very High look kept as AgX."""
import bpy
s = bpy.context.scene
s.render.engine = 'BLENDER_EEVEE'
ee = s.eevee
ee.use_ssr = True
ee.use_ssr_refraction = True
ee.use_gtao = True
ee.gtao_distance = .2
ee.use_bloom = True
ee.bloom_intensity = .05
ee.use_soft_shadows = True
ee.shadow_cube_size = '1024'
ee.taa_render_samples = 32
ee.use_volumetric_lights = True
s.view_settings.look = 'High Contrast'
s.view_settings.view_transform = 'Filmic'
bpy.ops.object.light_add(type='AREA', radius=1, location=(3, -3, 4))
l = bpy.context.object.data
l.energy = 300
l.use_contact_shadow = True
l.contact_shadow_distance = .2
l.shadow_buffer_bias = .01
l.cutoff_distance = 30
m = bpy.data.materials.new("Water")
m.use_nodes = True
m.blend_method = 'BLEND'
m.shadow_method = 'NONE'
m.use_screen_refraction = True
m.refraction_depth = .1
b = m.node_tree.nodes["Principled BSDF"]
b.inputs["Transmission"].default_value = 1
b.inputs["Transmission Roughness"].default_value = .1
b.inputs["IOR"].default_value = 1.33
bpy.context.object.select_set(False)
bpy.data.objects["Cube"].data.materials[0] = m

"""2.8x: EEVEE with bloom, reflections, occlusion and soft shadows."""
import bpy

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
e = scene.eevee
e.taa_render_samples = 32
e.use_gtao = True
e.gtao_distance = 1
e.use_bloom = True
e.bloom_intensity = 0.08
e.use_ssr = True
e.use_ssr_refraction = True
e.use_soft_shadows = True
e.shadow_cube_size = '1024'
mat = bpy.data.materials["Material"]
mat.blend_method = 'BLEND'
mat.shadow_method = 'HASHED'
mat.use_screen_refraction = True
scene.view_settings.look = 'High Contrast'
bpy.data.lights["Light"].use_contact_shadow = True

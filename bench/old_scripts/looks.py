"""2.8x: render set-up"""
import bpy
scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
eevee = scene.eevee
eevee.use_bloom = True
eevee.bloom_intensity = 0.05
eevee.use_ssr = True
eevee.use_ssr_refraction = True
eevee.use_gtao = True
eevee.gtao_distance = .5
eevee.taa_render_samples = 64
eevee.shadow_cube_size = '1024'
eevee.use_soft_shadows = True
scene.view_settings.view_transform = 'Filmic'
scene.view_settings.look = 'Filmic - High Contrast'
scene.render.image_settings.file_format = 'FFMPEG'
scene.render.ffmpeg.format = 'MPEG4'
scene.render.ffmpeg.codec = 'H264'
scene.cycles.use_denoising = True
scene.render.tile_x = 256
scene.render.tile_y = 256
scene.view_layers["View Layer"].use_pass_z = True
scene.view_layers["View Layer"].cycles.use_denoising = True

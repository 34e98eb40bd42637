"""4.2-4.5: settings of EEVEE Next."""
import bpy

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE_NEXT'
scene.eevee.use_raytracing = True
scene.eevee.taa_render_samples = 64
scene.eevee.use_gtao = True
scene.eevee.gtao_distance = 0.2
scene.view_settings.look = 'Very High Contrast'

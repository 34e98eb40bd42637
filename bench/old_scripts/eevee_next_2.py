"""4.2: eevee next"""
import bpy
s = bpy.context.scene
engines = ['BLENDER_EEVEE_NEXT', 'CYCLES']
for e in engines:
    s.render.engine = e
s.render.engine = "BLENDER_EEVEE_NEXT"
s.eevee.use_gtao = True
s.eevee.use_raytracing = True
s.eevee.use_shadows = True
m = bpy.data.materials.new("glass")
m.use_nodes = True
m.use_screen_refraction = True
m.surface_render_method = 'BLENDED'
m.show_transparent_back = False

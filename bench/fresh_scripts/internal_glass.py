"""2.72 internal renderer: glass and mirror balls with world and sky. Right: two balls, transparent and mirror material, blue world."""
import bpy

scene = bpy.context.scene
scene.render.engine = 'BLENDER_RENDER'
scene.render.use_raytrace = True
scene.render.use_shadows = True
scene.render.antialiasing_samples = '8'

w = scene.world
w.horizon_color = (.1, .3, .7)
w.zenith_color = (.02, .05, .2)
w.use_sky_blend = True
w.light_settings.use_ambient_occlusion = True
w.light_settings.ao_factor = .6

glass = bpy.data.materials.new('Glass')
glass.use_transparency = True
glass.transparency_method = 'RAYTRACE'
glass.alpha = .1
glass.raytrace_transparency.ior = 1.45
glass.raytrace_transparency.depth = 4

mirror = bpy.data.materials.new('Mirror')
mirror.raytrace_mirror.use = True
mirror.raytrace_mirror.reflect_factor = .9
mirror.diffuse_intensity = .2
mirror.diffuse_color = (1, 1, 1)
mirror.specular_shader = 'WARDISO'

for i, m in enumerate((glass, mirror)):
    bpy.ops.mesh.primitive_uv_sphere_add(size=1, location=(i * 3, 0, 1))
    ob = bpy.context.object
    ob.active_material = m
    bpy.ops.object.shade_smooth()

bpy.ops.object.lamp_add(type='SPOT', location=(4, -4, 6))
spot = bpy.context.object.data
spot.energy = 2
spot.spot_size = 1.2
spot.shadow_method = 'RAY_SHADOW'
spot.shadow_ray_samples = 4

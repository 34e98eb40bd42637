import bpy
scn = bpy.context.scene
# sun
lamp = bpy.data.lamps.new(name="Sun", type='SUN')
lamp.shadow_method = 'RAY_SHADOW'
lamp.shadow_ray_samples = 4
lampo = bpy.data.objects.new(name="Sun", object_data=lamp)
scn.objects.link(lampo)
lampo.location = (0, 0, 10)
lampo.layers = [True] + [False] * 19
world = bpy.data.worlds["World"]
world.horizon_color = (0.05, 0.05, 0.1)
world.light_settings.use_environment_light = True
world.light_settings.environment_energy = .3
world.use_sky_blend = True
scn.render.use_antialiasing = True
scn.render.antialiasing_samples = '8'
scn.render.alpha_mode = 'TRANSPARENT'
scn.frame_end = 100

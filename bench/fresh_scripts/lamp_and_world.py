"""2.7x: three lamps, a blue sky and soft shadows."""
import bpy

scene = bpy.context.scene
for name, kind, place in (("Key", 'SPOT', (4, -4, 6)), ("Fill", 'HEMI', (-5, -3, 4)), ("Rim", 'POINT', (0, 5, 5))):
    data = bpy.data.lamps.new(name, kind)
    data.energy = 2.0
    data.color = (1, 0.9, 0.8)
    if kind != 'HEMI':
        data.shadow_method = 'RAY_SHADOW'
        data.shadow_ray_samples = 4
    lamp = bpy.data.objects.new(name, data)
    lamp.location = place
    scene.objects.link(lamp)
world = scene.world
world.horizon_color = (0.2, 0.4, 0.9)
world.light_settings.use_ambient_occlusion = True
world.light_settings.samples = 10
scene.render.use_antialiasing = True
scene.render.resolution_percentage = 50

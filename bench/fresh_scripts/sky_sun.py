"""2.91 world: nishita sky with sun, and lamp strength. Right: sky texture in the world, sun turned, exposure kept."""
import bpy
from math import radians
w = bpy.data.worlds.new("Sky")
bpy.context.scene.world = w
w.use_nodes = True
nt = w.node_tree
bg = nt.nodes['Background']
sky = nt.nodes.new('ShaderNodeTexSky')
sky.sky_type = 'NISHITA'
sky.sun_elevation = radians(15)
sky.sun_rotation = radians(120)
sky.altitude = 100
sky.air_density = 1.2
sky.dust_density = .5
nt.links.new(sky.outputs['Color'], bg.inputs['Color'])
hsv = nt.nodes.new('ShaderNodeHueSaturation')
hsv.inputs['Fac'].default_value = 1
bg.inputs[1].default_value = .3
sun = bpy.data.lights.new("Sun", 'SUN')
sun.energy = 3
sun.shadow_soft_size = .1
sun.use_contact_shadow = True
so = bpy.data.objects.new("Sun", sun)
so.rotation_euler = radians(60), 0, radians(120)
bpy.context.scene.collection.objects.link(so)
bpy.context.scene.view_settings.exposure = -1
bpy.context.scene.cycles.use_adaptive_sampling = True
bpy.context.scene.cycles.use_denoising = True
bpy.context.view_layer.cycles.use_denoising = True
bpy.context.scene.render.film_transparent = True

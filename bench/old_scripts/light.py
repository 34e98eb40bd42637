"""2.8x: lights"""
import bpy
light_data = bpy.data.lights.new(name="spot", type='SPOT')
light_data.energy = 1000
light_data.use_contact_shadow = True
light_data.contact_shadow_distance = .2
light_data.distance = 20
light_data.shadow_soft_size = .5
light_data.falloff_type = 'INVERSE_SQUARE'
light_object = bpy.data.objects.new(name="spot", object_data=light_data)
bpy.context.collection.objects.link(light_object)
light_object.location = (5, 5, 5)
light_object.cycles_visibility.camera = False
light_object.data.cycles.cast_shadow = True

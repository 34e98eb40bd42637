import bpy

lawn = bpy.data.objects["Cube"]
lawn.modifiers.new("Grass", 'PARTICLE_SYSTEM')
grass = lawn.particle_systems[0].settings
grass.root_radius = 0.8
grass.use_close_tip = True

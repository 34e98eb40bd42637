import bpy

lawn = bpy.data.objects["Cube"]
lawn.modifiers.new("Grass", 'PARTICLE_SYSTEM')
grass = lawn.particle_systems[0].settings
grass.cycles.root_width = 0.8
grass.cycles.use_closetip = True

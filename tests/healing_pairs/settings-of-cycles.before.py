import bpy

camera = bpy.data.objects["Camera"]
camera.data.cycles.aperture_type = "RADIUS"
camera.data.cycles.aperture_size = 0.05
camera.data.cycles.aperture_blades = 6
camera.data.cycles.panorama_type = "EQUIRECTANGULAR"
lawn = bpy.data.objects["Cube"]
lawn.modifiers.new("Grass", 'PARTICLE_SYSTEM')
grass = lawn.particle_systems[0].settings
grass.cycles.root_width = 0.8
grass.cycles.use_closetip = True

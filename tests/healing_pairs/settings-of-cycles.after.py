import bpy

camera = bpy.data.objects["Camera"]
camera.data.dof.aperture_fstop = camera.data.lens / (2000 * 0.05)
camera.data.dof.aperture_blades = 6
camera.data.panorama_type = "EQUIRECTANGULAR"
lawn = bpy.data.objects["Cube"]
lawn.modifiers.new("Grass", 'PARTICLE_SYSTEM')
grass = lawn.particle_systems[0].settings
grass.root_radius = 0.8
grass.use_close_tip = True

import bpy

lawn = bpy.data.objects["Cube"]
lawn.modifiers.new("Grass", 'PARTICLE_SYSTEM')
grass = lawn.particle_systems[0].settings
for emitter in bpy.data.objects:
    if any(system.settings == grass for system in emitter.particle_systems):
        emitter.show_instancer_for_render = False

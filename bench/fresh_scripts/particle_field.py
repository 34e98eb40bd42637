"""2.79: grass objects on a plane by a particle system and a group. Right: hair of collection instances, 300 of them, random size."""
import bpy
bpy.ops.mesh.primitive_plane_add(radius=5)
field = bpy.context.object
bpy.ops.mesh.primitive_cone_add(vertices=5, radius1=.1, radius2=0, depth=.6, location=(20, 0, 0))
blade = bpy.context.object
g = bpy.data.groups.new(name="Blades")
g.objects.link(blade)
bpy.context.scene.objects.active = field
bpy.ops.object.particle_system_add()
ps = field.particle_systems.active
s = ps.settings
s.name = "Grass"
s.type = 'HAIR'
s.use_advanced_hair = True
s.count = 300
s.render_type = 'GROUP'
s.dupli_group = g
s.use_group_pick_random = True
s.particle_size = .5
s.size_random = .4
s.use_rotations = True
s.rotation_mode = 'GLOB_Z'
s.phase_factor_random = 2
s.draw_color = 'NONE'
field.show_instancer_for_render if hasattr(field, "show_instancer_for_render") else None

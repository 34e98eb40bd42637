"""2.7x: groups and duplis"""
import bpy
grp = bpy.data.groups.new("Stones")
bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, size=.3, location=(5, 0, 0))
stone = bpy.context.active_object
grp.objects.link(stone)
bpy.ops.mesh.primitive_plane_add(radius=4)
plane = bpy.context.active_object
plane.modifiers.new("scatter", type='PARTICLE_SYSTEM')
ps = plane.particle_systems[0].settings
ps.type = 'HAIR'
ps.use_advanced_hair = True
ps.render_type = 'GROUP'
ps.dupli_group = grp
ps.count = 30
e = bpy.data.objects.new("inst", None)
e.dupli_type = 'GROUP'
e.dupli_group = grp
e.empty_draw_type = 'SPHERE'
e.empty_draw_size = .3
bpy.context.scene.objects.link(e)

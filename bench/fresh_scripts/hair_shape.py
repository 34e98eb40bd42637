"""2.7x: the shape of hair in Cycles, and its dynamics."""
import bpy

ob = bpy.context.active_object
mod = ob.modifiers.new("Hair", 'PARTICLE_SYSTEM')
ps = ob.particle_systems[0]
s = ps.settings
s.type = 'HAIR'
s.count = 50
s.hair_step = 5
s.child_type = 'INTERPOLATED'
s.child_nbr = 5
s.rendered_child_count = 20
s.use_strand_primitive = True
s.draw_step = 4
s.render_step = 4
s.cycles.root_width = 0.8
s.cycles.tip_width = 0.1
s.cycles.radius_scale = 0.02
s.cycles.use_closetip = True
s.material = 1
ps.use_hair_dynamics = True
ps.cloth.settings.quality = 5

"""2.78: fur ball with hair and vertex group. Right: hair system with count, length, children; vertex group used for density."""
import bpy
bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, size=1, location=(0, 0, 1))
ob = bpy.context.object
vg = ob.vertex_groups.new("fur")
vg.add([v.index for v in ob.data.vertices if v.co.z > 0], 1.0, 'REPLACE')
ob.modifiers.new("Fur", type='PARTICLE_SYSTEM')
ps = ob.particle_systems[0]
ps.vertex_group_density = "fur"
st = ps.settings
st.type = 'HAIR'
st.count = 400
st.hair_length = .5
st.use_advanced_hair = True
st.child_type = 'INTERPOLATED'
st.child_nbr = 5
st.rendered_child_count = 10
st.use_render_emitter = True
st.draw_percentage = 50
st.draw_method = 'RENDER'
st.cycles.root_width = .5
st.cycles.tip_width = 0
st.brownian_factor = .05
ps.seed = 7
bpy.context.scene.update()

import bpy
ob = bpy.context.object
ob.modifiers.new("P", 'PARTICLE_SYSTEM')
st = ob.particle_systems[0].settings
st.count = 50
st.frame_start = 1
st.frame_end = 20
st.physics_type = 'NEWTON'
st.render_type = 'OBJECT'
st.dupli_object = bpy.data.objects['Camera']
st.draw_method = 'CROSS'
st.use_rotation_dupli = True
st.particle_size = .1
ob.show_instancer_for_render = False
bpy.context.scene.gravity = (0, 0, -9)
bpy.ops.ptcache.bake_all(bake=False)
cl = ob.modifiers.new("C", 'CLOTH')
cl.settings.use_pin_cloth = True
cl.settings.mass = .3
cl.settings.structural_stiffness = 10
cl.settings.spring_damping = 4

"""2.81: soft body cushion, wind, collision, force field. Right: soft body with goal off, collision floor, wind strength 5."""
import bpy
bpy.ops.mesh.primitive_plane_add(size=8)
floor = bpy.context.object
floor.modifiers.new("Collision", 'COLLISION')
floor.collision.damping_factor = .5
floor.collision.friction_factor = .3
bpy.ops.mesh.primitive_uv_sphere_add(radius=1, location=(0, 0, 3))
ball = bpy.context.object
sb = ball.modifiers.new("Softbody", 'SOFT_BODY')
st = ball.soft_body
st.use_goal = False
st.pull = .7
st.push = .7
st.bend = 2
st.use_edges = True
st.use_face_collision = True
sb.point_cache.frame_end = 50
bpy.ops.object.effector_add(type='WIND', radius=1, view_align=False, location=(-4, 0, 2))
w = bpy.context.object
w.field.strength = 5
w.field.flow = 1
w.empty_display_size = 2
bpy.context.scene.gravity = (0, 0, -9.81)
bpy.context.scene.frame_set(5)

"""2.77: chain of rigid bodies with constraints and groups. Right: active bodies, hinge constraints, group is a collection, gravity unchanged."""
import bpy
scene = bpy.context.scene
if not scene.rigidbody_world:
    bpy.ops.rigidbody.world_add()
grp = bpy.data.groups.new("Chain")
prev = None
for i in range(5):
    bpy.ops.mesh.primitive_torus_add(location=(i * 1.2, 0, 5), major_radius=.7, minor_radius=.15, rotation=(1.5708 * (i % 2), 0, 0), view_align=False)
    ob = bpy.context.object
    grp.objects.link(ob)
    bpy.ops.rigidbody.object_add(type='ACTIVE' if i else 'PASSIVE')
    ob.rigid_body.collision_shape = 'MESH'
    ob.rigid_body.friction = .4
    if prev:
        bpy.ops.object.empty_add(location=(i * 1.2 - .6, 0, 5))
        e = bpy.context.object
        e.empty_draw_size = .2
        bpy.ops.rigidbody.constraint_add(type='HINGE')
        c = e.rigid_body_constraint
        c.object1 = prev
        c.object2 = ob
    prev = ob
scene.rigidbody_world.steps_per_second = 120
scene.rigidbody_world.solver_iterations = 20
scene.rigidbody_world.group = grp
scene.frame_set(10)

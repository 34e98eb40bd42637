"""2.9x: cubes that fall on a plane."""
import bpy

bpy.ops.mesh.primitive_plane_add(size=20)
floor = bpy.context.object
bpy.ops.rigidbody.world_add()
bpy.ops.rigidbody.object_add()
floor.rigid_body.type = 'PASSIVE'
for i in range(5):
    bpy.ops.mesh.primitive_cube_add(location=(0, 0, 2 + i * 2.5))
    bpy.ops.rigidbody.object_add({'object': bpy.context.object}, type='ACTIVE')
    bpy.context.object.rigid_body.mass = 2
world = bpy.context.scene.rigidbody_world
world.steps_per_second = 120
world.point_cache.frame_end = 50

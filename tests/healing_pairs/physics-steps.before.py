import bpy

bpy.ops.rigidbody.world_add()
bpy.context.scene.rigidbody_world.steps_per_second = 120

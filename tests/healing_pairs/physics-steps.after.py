import bpy

bpy.ops.rigidbody.world_add()
bpy.context.scene.rigidbody_world.substeps_per_frame = max(1, int(120 / bpy.context.scene.render.fps))

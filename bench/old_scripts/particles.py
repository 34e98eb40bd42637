"""2.8x: physics"""
import bpy
obj = bpy.context.active_object
bpy.ops.rigidbody.object_add()
obj.rigid_body.type = 'ACTIVE'
obj.rigid_body.friction = .5
bpy.context.scene.rigidbody_world.steps_per_second = 120
bpy.context.scene.rigidbody_world.point_cache.frame_end = 200
bpy.ops.object.particle_system_add()
psys = obj.particle_systems[-1]
psys.settings.count = 10
psys.settings.use_render_emitter = False
psys.settings.draw_method = 'DOT'

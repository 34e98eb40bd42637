"""2.7x: particles that show an object."""
import bpy

bpy.ops.mesh.primitive_ico_sphere_add(size=0.1, location=(0, 0, -5))
leaf = bpy.context.object
cube = bpy.data.objects["Cube"]
bpy.context.scene.objects.active = cube
bpy.ops.object.particle_system_add()
ps = cube.particle_systems[0].settings
ps.type = 'HAIR'
ps.count = 80
ps.render_type = 'OBJECT'
ps.dupli_object = leaf
ps.use_render_emitter = True
ps.draw_method = 'RENDER'
ps.particle_size = 0.5

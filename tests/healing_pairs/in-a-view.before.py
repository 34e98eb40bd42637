import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.context.object.location.x = 2.0
bpy.ops.anim.keyframe_insert_menu(type="Location")

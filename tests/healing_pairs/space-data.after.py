import bpy

bpy.ops.mesh.primitive_cube_add()

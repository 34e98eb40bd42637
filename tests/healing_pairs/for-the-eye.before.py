import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.ops.view3d.view_all(center=True)

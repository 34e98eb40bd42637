import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.context.space_data.shading.type = "MATERIAL"

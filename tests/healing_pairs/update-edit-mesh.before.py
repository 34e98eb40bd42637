import bmesh
import bpy

bpy.ops.object.mode_set(mode="EDIT")
mesh = bpy.context.object.data
bm = bmesh.from_edit_mesh(mesh)
bmesh.update_edit_mesh(mesh, True)

"""2.8x: subdivide in edit mode and push the mesh back."""
import bmesh
import bpy

bpy.ops.object.mode_set(mode='EDIT')
me = bpy.context.object.data
bm = bmesh.from_edit_mesh(me)
bmesh.ops.subdivide_edges(bm, edges=bm.edges[:], cuts=2)
bmesh.update_edit_mesh(me, True)
bpy.ops.object.mode_set(mode='OBJECT')
me.calc_normals()
me.use_auto_smooth = True
me.auto_smooth_angle = 0.5
bpy.ops.object.shade_smooth()

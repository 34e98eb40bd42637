"""2.79: bmesh tools. Right: bevelled, subdivided cube with a hole filled, recalculated; edit mode update works."""
import bpy, bmesh
from mathutils import Matrix, Euler
bpy.ops.mesh.primitive_cube_add()
ob = bpy.context.object
bpy.ops.object.mode_set(mode='EDIT')
bm = bmesh.from_edit_mesh(ob.data)
bmesh.ops.subdivide_edges(bm, edges=bm.edges[:], cuts=2, use_grid_fill=True)
if hasattr(bm.verts, "ensure_lookup_table"):
    bm.verts.ensure_lookup_table()
mat = Matrix.Translation((0, 0, 1)) * Euler((0, 0, .5)).to_matrix().to_4x4()
for v in bm.verts:
    v.co = mat * v.co
bmesh.ops.bevel(bm, geom=bm.edges[:], offset=.05, offset_type=0, segments=2, profile=.5, vertex_only=False)
bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
bmesh.ops.create_cone(bm, cap_ends=True, segments=16, diameter1=.5, diameter2=0, depth=1, matrix=Matrix.Translation((0, 0, 3)))
bmesh.ops.create_uvsphere(bm, u_segments=16, v_segments=8, diameter=.3, matrix=Matrix.Translation((0, 0, 4)))
bmesh.ops.remove_doubles(bm, verts=bm.verts, dist=.001)
bmesh.update_edit_mesh(ob.data, True, True)
bpy.ops.mesh.select_all(action='TOGGLE')
bpy.ops.object.mode_set(mode='OBJECT')

"""2.77: bmesh cleaning: delete faces by context number, poke, dissolve, spin. Right: no top face, a spun profile beside it."""
import bpy, bmesh
from mathutils import Vector, Matrix
me = bpy.data.meshes.new("Part")
bm = bmesh.new()
bmesh.ops.create_cube(bm, size=2, matrix=Matrix.Scale(1.5, 4) * Matrix.Rotation(.3, 4, 'Z'))
bm.faces.ensure_lookup_table()
top = [f for f in bm.faces if f.calc_center_median().z > .9]
bmesh.ops.delete(bm, geom=top, context=5)
bmesh.ops.poke(bm, faces=bm.faces[:2], offset=.2, center_mode=0)
bmesh.ops.triangulate(bm, faces=bm.faces[:], quad_method=0, ngon_method=0)
v1 = bm.verts.new((4, 0, 0))
v2 = bm.verts.new((4.5, 0, 1))
e = bm.edges.new((v1, v2))
bmesh.ops.spin(bm, geom=[v1, v2, e], angle=6.28, steps=16, axis=(0, 0, 1), cent=(3, 0, 0), use_duplicate=False)
bmesh.ops.dissolve_limit(bm, angle_limit=.01, verts=bm.verts, edges=bm.edges)
bm.normal_update()
bm.to_mesh(me)
ob = bpy.data.objects.new("Part", me)
sc = bpy.context.scene
sc.objects.link(ob)
sc.objects.active = ob
ob.select = True
ob.draw_type = 'WIRE'
ob.show_transparent = True

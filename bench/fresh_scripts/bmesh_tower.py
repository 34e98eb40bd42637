"""2.7x: a tower by bmesh, extruded and bevelled."""
import bpy
import bmesh
from mathutils import Matrix, Vector

bm = bmesh.new()
bmesh.ops.create_circle(bm, cap_ends=True, diameter=2, segments=16)
for level in range(3):
    face = bm.faces[:][-1]
    out = bmesh.ops.extrude_discrete_faces(bm, faces=[face])
    top = out['faces'][0]
    bmesh.ops.translate(bm, verts=top.verts, vec=Vector((0, 0, 2)))
    bmesh.ops.scale(bm, verts=top.verts, vec=(0.8, 0.8, 1))
bmesh.ops.bevel(bm, geom=bm.edges[:], offset=0.05, segments=2, profile=0.5, vertex_only=False)
me = bpy.data.meshes.new("Tower")
bm.to_mesh(me)
bm.free()
ob = bpy.data.objects.new("Tower", me)
bpy.context.scene.objects.link(ob)
ob.matrix_world = Matrix.Translation((0, 0, 1)) * Matrix.Rotation(0.3, 4, 'Z')

import bmesh
import bpy

bm = bmesh.new()
bmesh.ops.create_cone(bm, segments=8, diameter1=1, diameter2=0.5, depth=2)
bmesh.ops.create_icosphere(bm, subdivisions=2, diameter=1)
bmesh.ops.bevel(bm, geom=bm.edges[:], offset=0.01, vertex_only=False)
bm.to_mesh(bpy.data.meshes.new("m"))

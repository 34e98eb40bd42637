import bmesh
import bpy

bm = bmesh.new()
bmesh.ops.create_cone(bm, segments=8, radius1=1, radius2=0.5, depth=2)
bmesh.ops.create_icosphere(bm, subdivisions=2, radius=1)
bmesh.ops.bevel(bm, geom=bm.edges[:], offset=0.01, affect='EDGES')
bm.to_mesh(bpy.data.meshes.new("m"))

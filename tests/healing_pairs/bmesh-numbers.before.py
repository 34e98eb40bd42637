import bmesh
import bpy

bm = bmesh.new()
bmesh.ops.create_cube(bm, size=1)
bmesh.ops.triangulate(bm, faces=bm.faces[:], quad_method=0)
bm.to_mesh(bpy.data.meshes.new("m"))

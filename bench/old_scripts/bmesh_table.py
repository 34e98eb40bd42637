"""2.7x-2.8x: a table leg with bmesh and old keyword names."""
import bmesh
import bpy

bm = bmesh.new()
bmesh.ops.create_cone(bm, cap_ends=True, segments=16, diameter1=0.1, diameter2=0.08, depth=1.0)
bmesh.ops.bevel(bm, geom=bm.edges[:], offset=0.01, segments=2, vertex_only=False)
me = bpy.data.meshes.new("Leg")
bm.to_mesh(me)
bm.free()
ob = bpy.data.objects.new("Leg", me)
bpy.context.scene.objects.link(ob)

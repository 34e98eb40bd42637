import bpy
import bmesh
def create(n):
    me = bpy.data.meshes.new("Grid")
    ob = bpy.data.objects.new("Grid", me)
    bpy.context.scene.objects.link(ob)
    bm = bmesh.new()
    bmesh.ops.create_icosphere(bm, subdivisions=2, diameter=1.0)
    for e in bm.edges:
        e.select = True
    bmesh.ops.bevel(bm, geom=bm.verts[:], offset=.05, segments=1, vertex_only=True)
    bm.to_mesh(me)
    bm.free()
    me.update(calc_tessface=True)
    return ob
o = create(4)
bpy.context.scene.objects.active = o
bpy.ops.object.mode_set(mode="EDIT")
bpy.ops.mesh.select_all(action="SELECT")
bpy.ops.mesh.normals_make_consistent()
bm = bmesh.from_edit_mesh(o.data)
bmesh.update_edit_mesh(o.data, tessface=True, destructive=True)
bpy.ops.object.mode_set(mode="OBJECT")

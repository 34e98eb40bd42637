"""2.8x: bmesh primitives"""
import bpy, bmesh
def make_obj(name):
    me = bpy.data.meshes.new(name)
    bm = bmesh.new()
    bmesh.ops.create_cone(bm, cap_ends=True, cap_tris=False, segments=12, diameter1=1, diameter2=.2, depth=2)
    bmesh.ops.create_uvsphere(bm, u_segments=8, v_segments=8, diameter=.4)
    bmesh.ops.create_grid(bm, x_segments=4, y_segments=4, size=1)
    bmesh.ops.create_circle(bm, cap_ends=True, segments=6, diameter=1.0)
    bm.to_mesh(me)
    bm.free()
    me.use_auto_smooth = True
    me.auto_smooth_angle = 0.6
    me.calc_normals()
    o = bpy.data.objects.new(name, me)
    bpy.context.collection.objects.link(o)
    return o
make_obj('thing')
bpy.ops.object.mode_set(mode='EDIT')
ed = bmesh.from_edit_mesh(bpy.context.edit_object.data)
bmesh.update_edit_mesh(bpy.context.edit_object.data, True)
bpy.ops.object.mode_set(mode='OBJECT')

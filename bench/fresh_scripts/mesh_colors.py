"""2.7x: a mesh with vertex colours, smooth, custom normals by angle."""
import bpy

me = bpy.data.meshes.new("Roof")
me.from_pydata([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (0, 0, 1)], [], [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])
col = me.vertex_colors.new("Paint")
for i, item in enumerate(col.data):
    item.color = (i % 2, 0.5, 1 - i % 2, 1)
for p in me.polygons:
    p.use_smooth = True
me.use_auto_smooth = True
me.auto_smooth_angle = 0.6
me.calc_normals()
me.update(calc_edges=True)
ob = bpy.data.objects.new("Roof", me)
bpy.context.scene.objects.link(ob)
bpy.context.scene.objects.active = ob
ob.select = True

"""2.8x: curves"""
import bpy
cu = bpy.data.curves.new('path', 'CURVE')
cu.dimensions = '3D'
cu.fill_mode = 'FULL'
cu.bevel_depth = .1
cu.use_uv_as_generated = True
sp = cu.splines.new('POLY')
sp.points.add(3)
for p, c in zip(sp.points, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 1)]):
    p.co = c
ob = bpy.data.objects.new('path', cu)
bpy.context.scene.collection.objects.link(ob)
ob.data.resolution_u = 4

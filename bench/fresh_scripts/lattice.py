"""2.70: lattice deform and vertex weights, select by layers. Right: bottle deformed by lattice, visible."""
import bpy
bpy.ops.object.select_all(action='DESELECT')
bpy.ops.mesh.primitive_cylinder_add(vertices=32, radius=1, depth=3, location=(0, 0, 1.5))
bottle = bpy.context.object
bottle.layers = [True] + [False] * 19
bpy.ops.object.mode_set(mode='EDIT')
bpy.ops.mesh.select_all(action='SELECT')
bpy.ops.mesh.subdivide(number_cuts=4, smoothness=0)
bpy.ops.mesh.normals_make_consistent(inside=False)
bpy.ops.object.mode_set(mode='OBJECT')
lat = bpy.data.lattices.new("Cage")
lat.points_u, lat.points_v, lat.points_w = 2, 2, 4
lat.interpolation_type_w = 'KEY_BSPLINE'
lo = bpy.data.objects.new("Cage", lat)
lo.scale = (2, 2, 3)
lo.location = bottle.location
bpy.context.scene.objects.link(lo)
for i, p in enumerate(lat.points):
    if i >= 12:
        p.co_deform.x *= .5
        p.co_deform.y *= .5
md = bottle.modifiers.new("Lat", 'LATTICE')
md.object = lo
lo.hide = True
lo.hide_render = True
bottle.show_wire = True
bottle.draw_type = 'TEXTURED'
for v in bottle.data.vertices:
    v.select = v.co.z > 0
bpy.context.scene.update()

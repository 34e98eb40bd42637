"""2.78 forum: gear from bmesh, linked and selected. Right: a gear object, smooth shading off, active."""
import bpy, bmesh
from math import pi, sin, cos

def gear(name, teeth, r, depth):
    me = bpy.data.meshes.new(name)
    bm = bmesh.new()
    vs = []
    for i in range(teeth * 4):
        a = 2 * pi * i / (teeth * 4)
        rr = r + (depth if i % 4 in (1, 2) else 0)
        vs.append(bm.verts.new((rr * cos(a), rr * sin(a), 0)))
    f = bm.faces.new(vs)
    ret = bmesh.ops.extrude_face_region(bm, geom=[f])
    up = [v for v in ret['geom'] if isinstance(v, bmesh.types.BMVert)]
    bmesh.ops.translate(bm, verts=up, vec=(0, 0, .4))
    bm.normal_update()
    bm.to_mesh(me)
    bm.free()
    me.calc_normals()
    ob = bpy.data.objects.new(name, me)
    ob.draw_type = 'SOLID'
    ob.show_x_ray = True
    bpy.context.scene.objects.link(ob)
    bpy.context.scene.objects.active = ob
    ob.select = True
    return ob

g = gear("Gear", 12, 2, .3)
mat = bpy.data.materials.new("Steel")
mat.diffuse_color = (.4, .4, .5)
mat.specular_intensity = .8
mat.specular_hardness = 80
g.data.materials.append(mat)
bpy.ops.object.transform_apply(location=True, rotation=True, scale=True)

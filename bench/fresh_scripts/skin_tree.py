"""2.75: skin modifier tree from edges, random recursion, decimate. Right: branches thick at the base, subdivided."""
import bpy, random
from mathutils import Vector
random.seed(3)
verts, edges = [Vector((0, 0, 0))], []

def branch(i, d, n):
    if n == 0:
        return
    for k in range(2):
        e = d + Vector((random.uniform(-.5, .5), random.uniform(-.5, .5), .2))
        verts.append(verts[i] + e)
        edges.append((i, len(verts) - 1))
        branch(len(verts) - 1, e * .8, n - 1)

branch(0, Vector((0, 0, 1)), 4)
me = bpy.data.meshes.new("Tree")
me.from_pydata([v[:] for v in verts], edges, [])
me.update(calc_edges=True, calc_tessface=True)
ob = bpy.data.objects.new("Tree", me)
bpy.context.scene.objects.link(ob)
bpy.context.scene.objects.active = ob
ob.select = True
sk = ob.modifiers.new("Skin", 'SKIN')
sk.use_smooth_shade = True
for i, v in enumerate(me.skin_vertices[0].data):
    r = .2 if i == 0 else .07
    v.radius = r, r
me.skin_vertices[0].data[0].use_root = True
ob.modifiers.new("S", 'SUBSURF').render_levels = 2
dec = ob.modifiers.new("D", 'DECIMATE')
dec.ratio = .9
bpy.ops.object.modifier_apply(apply_as='DATA', modifier="Skin")

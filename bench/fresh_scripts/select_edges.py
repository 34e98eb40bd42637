"""2.81: edges with seams, creases, bevel weights, sharp faces; normals. Right: creases and weights as attributes, modifier uses them."""
import bpy
bpy.ops.mesh.primitive_cube_add(size=2)
ob = bpy.context.object
me = ob.data
me.use_customdata_edge_crease = True
me.use_customdata_edge_bevel = True
for e in me.edges:
    e.use_seam = e.index % 2 == 0
    e.crease = .8
    e.bevel_weight = .5 if e.index < 4 else 0
for v in me.vertices:
    v.bevel_weight = 0.2
b = ob.modifiers.new("Bevel", 'BEVEL')
b.width = .1
b.segments = 3
b.limit_method = 'WEIGHT'
b.use_only_vertices = False
s = ob.modifiers.new("Sub", 'SUBSURF')
s.levels = 2
for p in me.polygons:
    p.use_smooth = True
me.calc_normals_split()
print(me.loops[0].normal)
for l in me.loop_triangles:
    print(l.vertices[:])
    break
me.validate(verbose=True, clean_customdata=False)

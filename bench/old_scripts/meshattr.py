"""3.x: mesh attributes"""
import bpy
me = bpy.data.objects['Cube'].data
if not me.vertex_colors:
    me.vertex_colors.new()
col = me.vertex_colors[0]
for p in me.polygons:
    for li in p.loop_indices:
        col.data[li].color = (1, 0, 0, 1)
for v in me.vertices:
    v.bevel_weight = 1.0
me.edges[0].crease = 1
me.edges[1].bevel_weight = .5
me.use_customdata_edge_crease = True
me.create_normals_split()
me.calc_normals_split()
for uvl in me.uv_layers.active.data:
    uvl.uv = (0, 0)
uv = me.uv_textures

"""2.74: set uv by face with uv textures and vertex colours. Right: uv layer "UVMap" and colour layer "Col", each face coloured."""
import bpy, random
bpy.ops.mesh.primitive_cube_add(radius=1.5)
ob = bpy.context.active_object
me = ob.data
if not me.uv_textures:
    me.uv_textures.new("UVMap")
uv = me.uv_layers.active.data
for poly in me.polygons:
    for k, li in enumerate(poly.loop_indices):
        uv[li].uv = ((0, 0), (1, 0), (1, 1), (0, 1))[k]
if len(me.vertex_colors) == 0:
    me.vertex_colors.new("Col")
col = me.vertex_colors["Col"]
for poly in me.polygons:
    c = [random.random() for i in range(3)]
    for li in poly.loop_indices:
        col.data[li].color = c
me.vertex_colors.active = col
me.show_double_sided = True
me.auto_smooth_angle = 0.5
me.use_auto_smooth = True
me.update(calc_tessface=True)
for t in me.uv_textures:
    print(t.name, t.active_render)

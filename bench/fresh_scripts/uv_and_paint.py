"""3.x: unwraps a cube, adds a colour layer and loops over its corners."""
import bpy

bpy.ops.mesh.primitive_cube_add(size=2, enter_editmode=True)
bpy.ops.mesh.select_all(action='SELECT')
bpy.ops.uv.smart_project(angle_limit=66, island_margin=0.02, user_area_weight=0)
bpy.ops.object.editmode_toggle()
me = bpy.context.object.data
if not me.vertex_colors:
    me.vertex_colors.new()
layer = me.vertex_colors.active
for poly in me.polygons:
    for li in poly.loop_indices:
        layer.data[li].color = (poly.index / 6, 0.2, 1, 1)
for e in me.edges:
    e.crease = 1.0
    e.bevel_weight = 0.5
me.use_customdata_edge_crease = True
sub = bpy.context.object.modifiers.new("Sub", 'SUBSURF')
sub.levels = 2

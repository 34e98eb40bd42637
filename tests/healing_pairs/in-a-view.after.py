import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.context.object.location.x = 2.0
with bpy.context.temp_override(**next(
    {"area": area, "region": region}
    for area in bpy.context.window.screen.areas
    if area.type == "VIEW_3D"
    for region in area.regions
    if region.type == "WINDOW"
)):
    bpy.ops.anim.keyframe_insert_menu(type="Location")

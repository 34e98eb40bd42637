import bpy

cube = bpy.data.objects["Cube"]
cube.modifiers.new("Fine", 'SUBSURF')
for modifier in cube.modifiers:
    if modifier.type == 'SUBSURF':
        modifier.use_adaptive_subdivision = True
for modifier in cube.modifiers:
    if modifier.type == 'SUBSURF':
        modifier.adaptive_pixel_size = 2.0

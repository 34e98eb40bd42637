import bpy

cube = bpy.data.objects["Cube"]
cube.modifiers.new("Fine", 'SUBSURF')
cube.cycles.use_adaptive_subdivision = True
cube.cycles.dicing_rate = 2.0

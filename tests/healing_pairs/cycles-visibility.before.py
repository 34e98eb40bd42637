import bpy

cube = bpy.data.objects["Cube"]
cube.cycles_visibility.shadow = False
cube.cycles_visibility.camera = True

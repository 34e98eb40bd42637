import bpy

cube = bpy.data.objects["Cube"]
cube.visible_shadow = False
cube.visible_camera = True

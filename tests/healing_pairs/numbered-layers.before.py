import bpy

cube = bpy.data.objects["Cube"]
cube.layers[1] = True
cube.layers = [number == 0 for number in range(20)]

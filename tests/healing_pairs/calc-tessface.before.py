import bpy

bpy.data.meshes["Cube"].update(calc_edges=True, calc_tessface=True)

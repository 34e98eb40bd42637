import bpy

mesh = bpy.data.objects["Cube"].data
mesh.update()
# Normals first.
mesh.calc_normals()
mesh.calc_tessface()
print(len(mesh.tessfaces))

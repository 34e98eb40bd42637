import bpy

mesh = bpy.data.objects["Cube"].data
mesh.update()
# Normals first.
mesh.calc_loop_triangles()
print(len(mesh.loop_triangles))

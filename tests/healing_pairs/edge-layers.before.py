import bpy

mesh = bpy.data.objects["Cube"].data
for edge in mesh.edges:
    edge.crease = 1.0
for v in mesh.vertices:
    v.bevel_weight = 0.5

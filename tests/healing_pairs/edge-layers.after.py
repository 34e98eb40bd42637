import bpy

mesh = bpy.data.objects["Cube"].data
for edge in mesh.edges:
    crease_edge = mesh.attributes.get("crease_edge") or mesh.attributes.new("crease_edge", "FLOAT", "EDGE")
    crease_edge.data[edge.index].value = 1.0
for v in mesh.vertices:
    bevel_weight_vert = mesh.attributes.get("bevel_weight_vert") or mesh.attributes.new("bevel_weight_vert", "FLOAT", "POINT")
    bevel_weight_vert.data[v.index].value = 0.5

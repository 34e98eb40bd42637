import bmesh

bm = bmesh.new()
uv_layer = bm.loops.layers.uv.new("UVMap")
bmesh.ops.create_grid(bm, x_segments=2, y_segments=2, size=1)
for face in bm.faces:
    for loop in face.loops:
        loop[uv_layer].select = True
print(all(loop[uv_layer].select_edge for face in bm.faces for loop in face.loops))

import bpy

mesh = bpy.data.meshes["Cube"]
rooms = mesh.polygon_layers_int.new(name="room")
rooms.data[0].value = 3
print(mesh.polygon_layers_int["room"].data[0].value)
heat = mesh.vertex_layers_float.new()

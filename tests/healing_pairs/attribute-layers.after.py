import bpy

mesh = bpy.data.meshes["Cube"]
rooms = mesh.attributes.new("room", "INT", "FACE")
rooms.data[0].value = 3
print(mesh.attributes["room"].data[0].value)
heat = mesh.attributes.new("Float Property", "FLOAT", "POINT")

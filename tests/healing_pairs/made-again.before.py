import bpy

mesh = bpy.data.meshes.new("Tri")
mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
red = bpy.data.materials.new("Red")
mesh.materials.append(red)
for x in range(3):
    thing = bpy.data.objects.new("Tri", mesh)
    thing.location.x = x
    bpy.context.collection.objects.link(thing)
bpy.data.objects["Cube"].data.materials.append(red)

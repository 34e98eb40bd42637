import bpy

cube = bpy.data.objects["Cube"]
# Out of the scene, but not out of the file.
for collection in list(cube.users_collection):
    collection.objects.unlink(cube)

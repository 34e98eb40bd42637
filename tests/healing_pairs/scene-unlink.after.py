import bpy

cube = bpy.data.objects["Cube"]
# Out of the scene, but not out of the file.
for collection in [bpy.context.scene.collection, *bpy.context.scene.collection.children_recursive]:
    if cube.name in collection.objects:
        collection.objects.unlink(cube)

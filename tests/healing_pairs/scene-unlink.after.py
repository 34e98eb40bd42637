import bpy

cube = bpy.data.objects["Cube"]
# Out of the scene, but not out of the file.
for holder in [bpy.context.scene.collection, *bpy.context.scene.collection.children_recursive]:
    if cube.name in holder.objects:
        holder.objects.unlink(cube)
unlinked = bpy.data.objects["Light"]
for holder in [bpy.context.scene.collection, *bpy.context.scene.collection.children_recursive]:
    if unlinked.name in holder.objects:
        holder.objects.unlink(unlinked)

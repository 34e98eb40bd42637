import bpy

cube = bpy.data.objects["Cube"]
if cube.name not in bpy.context.scene.collection.objects:
    bpy.context.scene.collection.objects.link(cube)

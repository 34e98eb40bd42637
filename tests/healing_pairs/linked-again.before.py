import bpy

cube = bpy.data.objects["Cube"]
bpy.context.scene.collection.objects.link(cube)

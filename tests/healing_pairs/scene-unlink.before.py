import bpy

cube = bpy.data.objects["Cube"]
# Out of the scene, but not out of the file.
bpy.context.scene.objects.unlink(cube)
bpy.context.scene.objects.unlink(bpy.data.objects["Light"])

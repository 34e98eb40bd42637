import bpy

lamp = bpy.data.objects["Light"]
bpy.data.objects.remove(bpy.data.objects["Cube"], do_unlink=True)
bpy.data.objects.remove(lamp)

import bpy

lamp = bpy.data.objects.get("Light")
if "Cube" in bpy.data.objects:
    bpy.data.objects.remove(bpy.data.objects["Cube"], do_unlink=True)
if lamp:
    bpy.data.objects.remove(lamp)

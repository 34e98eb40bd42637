import bpy

for ob in list(bpy.data.objects):
    bpy.data.objects.remove(ob, True)

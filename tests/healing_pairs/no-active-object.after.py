import bpy

for ob in list(bpy.data.objects):
    bpy.data.objects.remove(ob)
if bpy.context.object:
    bpy.ops.object.mode_set(mode="OBJECT")

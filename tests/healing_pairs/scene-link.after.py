import bpy

scn = bpy.context.scene
ob = bpy.data.objects.new("Thing", bpy.data.meshes.new("Thing"))
scn.collection.objects.link(ob)  # into the scene

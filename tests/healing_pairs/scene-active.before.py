import bpy

bpy.context.scene.objects.active = bpy.data.objects["Cube"]
print(bpy.context.scene.objects.active.name)

import bpy

bpy.context.view_layer.objects.active = bpy.data.objects["Cube"]
print(bpy.context.view_layer.objects.active.name)

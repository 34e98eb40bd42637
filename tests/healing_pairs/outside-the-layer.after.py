import bpy

bpy.data.objects.new("Spare", None)
for ob in bpy.data.objects:
    if ob.name in bpy.context.view_layer.objects:
        ob.select_set(True)
print(bpy.context.selected_objects)

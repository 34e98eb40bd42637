import bpy

bpy.data.objects.new("Spare", None)
for ob in bpy.data.objects:
    ob.select_set(True)
print(bpy.context.selected_objects)

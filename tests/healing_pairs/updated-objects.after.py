import bpy

cube = bpy.data.objects["Cube"]
print(any(update.id.original == cube for update in bpy.context.evaluated_depsgraph_get().updates))

import bpy

override = {"active_object": bpy.data.objects["Cube"], "selected_objects": [bpy.data.objects["Cube"]]}
with bpy.context.temp_override(**override):
    bpy.ops.object.shade_smooth()
with bpy.context.temp_override(**{"selected_editable_objects": [bpy.data.objects["Cube"]]}):
    bpy.ops.object.shade_flat(keep_sharp_edges=True)

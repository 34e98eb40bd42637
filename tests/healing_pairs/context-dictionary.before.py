import bpy

override = {"active_object": bpy.data.objects["Cube"], "selected_objects": [bpy.data.objects["Cube"]]}
bpy.ops.object.shade_smooth(override)
bpy.ops.object.shade_flat({"selected_editable_objects": [bpy.data.objects["Cube"]]}, keep_sharp_edges=True)

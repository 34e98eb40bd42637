import bpy

cube = bpy.data.objects["Cube"]
cube.keyframe_insert("location", frame=1)
bpy.ops.action.interpolation_type(type="LINEAR")

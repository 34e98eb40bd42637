import bpy

cube = bpy.data.objects["Cube"]
action = bpy.data.actions.new("Slide")
cube.animation_data_create()
cube.animation_data.action = action
curve = action.fcurve_ensure_for_datablock(cube, "location", index=0)
curve.keyframe_points.insert(1, 0.0)
cube.animation_data_create()

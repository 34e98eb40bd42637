"""3.x: an action whose curves are made by hand."""
import bpy

ob = bpy.data.objects["Cube"]
action = bpy.data.actions.new("Spin")
curve = action.fcurves.new(data_path="rotation_euler", index=2)
curve.keyframe_points.add(2)
curve.keyframe_points[0].co = (1, 0.0)
curve.keyframe_points[1].co = (50, 6.283)
ob.animation_data_create()
ob.animation_data.action = action

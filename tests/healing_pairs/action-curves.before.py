import bpy

cube = bpy.data.objects["Cube"]
cube.keyframe_insert("location", frame=1)
action = cube.animation_data.action
for curve in action.fcurves:
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"

other = bpy.data.objects["Light"]
other.animation_data_create()
other.animation_data.action = bpy.data.actions.new("Turn")
fcurve = other.animation_data.action.fcurves.new(data_path="location", index=2)
fcurve.keyframe_points.insert(1, 0)

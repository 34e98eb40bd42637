import bpy

cube = bpy.data.objects["Cube"]
cube.keyframe_insert("location", frame=1)
action = cube.animation_data.action
for curve in action.layers[0].strips[0].channelbag(action.slots[0]).fcurves:
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"

other = bpy.data.objects["Light"]
other.animation_data_create()
other.animation_data.action = bpy.data.actions.new("Turn")
fcurve = other.animation_data.action.fcurve_ensure_for_datablock(other, "location", index=2)
fcurve.keyframe_points.insert(1, 0)

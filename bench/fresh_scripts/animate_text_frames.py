"""3.x: bounces a cube and makes its keys linear through the action."""
import bpy

cube = bpy.data.objects["Cube"]
for f, z in ((1, 0), (20, 3), (40, 0)):
    cube.location.z = z
    cube.keyframe_insert("location", index=2, frame=f)
action = cube.animation_data.action
for fcu in action.fcurves:
    for kp in fcu.keyframe_points:
        kp.interpolation = 'LINEAR'
    fcu.extrapolation = 'LINEAR'
    noise = fcu.modifiers.new(type='NOISE')
    noise.strength = 0.1
print(len(action.fcurves), action.fcurves.find("location", index=2) is not None, action.frame_range)

"""3.x-4.x: keyframes whose curves are made linear and cyclic."""
import bpy

cube = bpy.data.objects["Cube"]
for frame, height in ((1, 0), (12, 3), (24, 0)):
    cube.location.z = height
    cube.keyframe_insert(data_path="location", index=2, frame=frame)
for fcurve in cube.animation_data.action.fcurves:
    fcurve.modifiers.new(type='CYCLES')
    for point in fcurve.keyframe_points:
        point.interpolation = 'LINEAR'

"""2.7x: fcurves made by hand on an action, cyclic."""
import bpy

ob = bpy.data.objects["Cube"]
ob.animation_data_create()
act = bpy.data.actions.new("Bob")
ob.animation_data.action = act
fc = act.fcurves.new(data_path="location", index=2)
fc.keyframe_points.add(3)
for point, co in zip(fc.keyframe_points, ((1, 0), (13, 1.5), (25, 0))):
    point.co = co
    point.interpolation = 'SINE'
fc.modifiers.new('CYCLES')
bpy.context.scene.frame_end = 100

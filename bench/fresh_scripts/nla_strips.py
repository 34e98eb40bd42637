"""4.x: two actions with their curves, one of them only in a strip."""
import bpy

ob = bpy.context.view_layer.objects.active
act = bpy.data.actions.new("Hop")
fz = act.fcurves.new(data_path="location", index=2, action_group="Location")
fz.keyframe_points.add(3)
for kp, (f, v) in zip(fz.keyframe_points, ((1, 0.0), (10, 2.0), (20, 0.0))):
    kp.co = f, v
    kp.handle_left_type = kp.handle_right_type = 'AUTO'
fz.update()

ob.animation_data_create()
ob.animation_data.action = act
print(len(act.fcurves), act.fcurves[0].range())

act2 = bpy.data.actions.new("Slide")
fx = act2.fcurves.new("location", index=0)
fx.keyframe_points.insert(1, 0)
fx.keyframe_points.insert(40, 5)
ob.animation_data.action = None
track = ob.animation_data.nla_tracks.new()
track.name = "moves"
strip = track.strips.new("hop", 1, act)
strip.repeat = 3
strip.blend_type = 'ADD'
track2 = ob.animation_data.nla_tracks.new()
track2.strips.new("slide", 1, act2)

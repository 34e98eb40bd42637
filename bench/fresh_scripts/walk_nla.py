"""2.80: two actions made by hand, pushed to NLA tracks. Right: two strips, second blended, extrapolation hold."""
import bpy
ob = bpy.context.object
ob.animation_data_create()

def make(name, path, idx, keys):
    act = bpy.data.actions.new(name)
    fc = act.fcurves.new(data_path=path, index=idx, action_group="Move")
    fc.keyframe_points.add(count=len(keys))
    for kp, (f, v) in zip(fc.keyframe_points, keys):
        kp.co = (f, v)
        kp.interpolation = 'LINEAR'
    fc.color_mode = 'AUTO_RAINBOW'
    act.use_fake_user = True
    return act

a = make("Up", "location", 2, [(1, 0), (20, 4)])
b = make("Turn", "rotation_euler", 2, [(1, 0), (30, 3.14)])
t = ob.animation_data.nla_tracks.new()
t.name = "Base"
s = t.strips.new("Up", 1, a)
s.extrapolation = 'HOLD'
t2 = ob.animation_data.nla_tracks.new(prev=t)
s2 = t2.strips.new("Turn", 10, b)
s2.blend_type = 'ADD'
s2.use_auto_blend = True
print([c.data_path for c in a.fcurves], a.frame_range)

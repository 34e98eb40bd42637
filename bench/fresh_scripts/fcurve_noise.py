"""2.83: add noise modifiers and cycle modifiers on fcurves. Right: keyed cube, curves with noise and linear keys."""
import bpy

ob = bpy.data.objects.get("Cube")
ob.animation_data_clear()
sc = bpy.context.scene
for f, z in ((1, 0), (20, 3), (40, 0)):
    ob.location.z = z
    ob.keyframe_insert(data_path="location", frame=f, index=2)
act = ob.animation_data.action
act.name = "Bounce"
fc = act.fcurves.find("location", index=2)
for kp in fc.keyframe_points:
    kp.interpolation = 'BOUNCE'
    kp.easing = 'EASE_OUT'
mod = fc.modifiers.new('CYCLES')
mod.mode_after = 'REPEAT'
rot = act.fcurves.new("rotation_euler", index=1, action_group="Spin")
rot.keyframe_points.add(2)
rot.keyframe_points[0].co = 1, 0
rot.keyframe_points[1].co = 40, 6.28
rot.update()
n = rot.modifiers.new(type='NOISE')
n.strength = .2
for g in act.groups:
    print(g.name, len(g.channels))
act.id_root = 'OBJECT'
sc.frame_end = 40

"""4.3: names the groups of an action and lists them."""
import bpy

ob = bpy.data.objects["Cube"]
ob.animation_data_create()
ob.animation_data.action = bpy.data.actions.new(name="Spin")
grp = ob.animation_data.action.groups.new("Turn")
for axis in range(3):
    c = ob.animation_data.action.fcurves.new("rotation_euler", index=axis, action_group="Turn")
    c.keyframe_points.insert(1, 0)
    c.keyframe_points.insert(50, 3.14 if axis == 2 else 0)
assert len(ob.animation_data.action.fcurves) == 3

"""4.x: action curves made by hand"""
import bpy
ob = bpy.context.active_object
ob.animation_data_create()
ob.animation_data.action = bpy.data.actions.new(name="Bounce")
fcu = ob.animation_data.action.fcurves.new(data_path="location", index=2)
fcu.keyframe_points.add(count=3)
fcu.keyframe_points[0].co = (1, 0)
fcu.keyframe_points[1].co = (10, 3)
fcu.keyframe_points[2].co = (20, 0)
mod = fcu.modifiers.new('CYCLES')

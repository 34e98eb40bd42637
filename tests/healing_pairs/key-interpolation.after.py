import bpy

cube = bpy.data.objects["Cube"]
cube.keyframe_insert("location", frame=1)
for action in {ob.animation_data.action for ob in bpy.context.selected_objects if ob.animation_data}:
    for strip in [strip for layer in action.layers for strip in layer.strips] if action else []:
        for curve in [curve for bag in strip.channelbags for curve in bag.fcurves]:
            for key in [key for key in curve.keyframe_points if key.select_control_point]:
                key.interpolation = "LINEAR"

"""needs_scene: the active object must be a curve."""

import bpy

curve = bpy.context.active_object
spline = curve.data.splines[0]
for point in spline.bezier_points:
    point.handle_left_type = point.handle_right_type = "AUTO"

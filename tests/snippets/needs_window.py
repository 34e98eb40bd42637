"""needs_window: looks at the scene from the top and shades the viewport, which takes a 3D viewport."""

import bpy

space = bpy.context.space_data
space.shading.type = "MATERIAL"
space.overlay.show_floor = False
bpy.ops.view3d.view_axis(type="TOP")

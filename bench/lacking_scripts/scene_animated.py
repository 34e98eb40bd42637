"""needs_scene: the active object must be animated."""

import bpy

action = bpy.context.object.animation_data.action
first, last = action.frame_range
bpy.context.scene.frame_start, bpy.context.scene.frame_end = int(first), int(last)

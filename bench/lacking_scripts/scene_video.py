"""needs_scene: strips in the sequencer."""

import bpy

strips = bpy.context.scene.sequence_editor.strips
last = max(strip.frame_final_end for strip in strips)
bpy.context.scene.frame_end = last

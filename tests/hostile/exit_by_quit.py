"""passed|exited_early: quits Blender."""

import bpy

bpy.ops.wm.quit_blender()

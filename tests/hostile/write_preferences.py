"""passed|raised: saves preferences and a start-up file for whoever comes next."""

import bpy

bpy.ops.wm.save_userpref()
bpy.ops.wm.save_homefile()

"""needs_addon: an operator that an add-on brings."""

import bpy

bpy.ops.object.select_all(action="SELECT")
bpy.ops.qremesher.remesh(target_count=4000)

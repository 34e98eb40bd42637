import bpy

bpy.ops.view3d.snap_cursor_to_center()

"""needs_window: asks the editor for its region."""

import bpy

region = bpy.context.region_data
print(region.view_rotation.to_euler())

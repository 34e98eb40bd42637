"""needs_addon: calls an operator of an add-on that is not there."""

import bpy

bpy.ops.masonry.make_wall(height=3)

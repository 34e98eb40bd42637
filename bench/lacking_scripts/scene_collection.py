"""needs_scene: a collection of a name."""

import bpy

for ob in bpy.data.collections["Props"].objects:
    ob.location.z = 0

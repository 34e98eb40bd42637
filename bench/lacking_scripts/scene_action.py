"""needs_scene: an action of a name."""

import bpy

walk = bpy.data.actions["Walk"]
rig = bpy.data.objects["Rig"]
rig.animation_data_create().action = walk

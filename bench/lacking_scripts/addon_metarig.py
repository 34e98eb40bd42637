"""needs_addon: Rigify makes the rig."""

import bpy

bpy.ops.object.armature_human_metarig_add()
bpy.ops.pose.rigify_generate()

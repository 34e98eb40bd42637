"""needs_scene: works on the bones that are selected in pose mode."""

import bpy

for bone in bpy.context.selected_pose_bones:
    bone.rotation_quaternion = (1, 0, 0, 0)

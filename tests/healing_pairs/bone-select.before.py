import bpy

bpy.ops.object.armature_add()
rig = bpy.context.object
bpy.ops.object.mode_set(mode="POSE")
for part in rig.pose.bones:
    part.bone.select = False
rig.data.bones["Bone"].select = True
rig.data.bones["Bone"].select_head = True
rig.data.bones.active.select = True
chosen = [one.name for one in rig.data.bones if one.select]
assert chosen == ["Bone"]

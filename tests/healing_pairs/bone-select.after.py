import bpy

bpy.ops.object.armature_add()
rig = bpy.context.object
bpy.ops.object.mode_set(mode="POSE")
for part in rig.pose.bones:
    part.select = False
rig.pose.bones["Bone"].select = True
rig.pose.bones[rig.data.bones.active.name].select = True
chosen = [one.name for one in rig.data.bones if rig.pose.bones[one.name].select]
assert chosen == ["Bone"]

import bpy

rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
bpy.context.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="EDIT")
hip = rig.data.edit_bones.new("Hip")
hip.tail = (0, 0, 1)
bpy.ops.object.mode_set(mode="POSE")
group = rig.pose.bone_groups.new(name="Main")
group.color_set = "THEME01"
rig.pose.bones["Hip"].bone_group = group
rig.pose.bones["Hip"].bone_group = rig.pose.bone_groups.new(name="Left")

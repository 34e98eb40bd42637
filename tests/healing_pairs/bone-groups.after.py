import bpy

rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
bpy.context.collection.objects.link(rig)
bpy.context.view_layer.objects.active = rig
bpy.ops.object.mode_set(mode="EDIT")
hip = rig.data.edit_bones.new("Hip")
hip.tail = (0, 0, 1)
bpy.ops.object.mode_set(mode="POSE")
group = rig.data.collections.new(name="Main")
group.assign(rig.pose.bones["Hip"])
rig.pose.bones["Hip"].color.palette = "THEME01"
rig.data.collections.new(name="Left").assign(rig.pose.bones["Hip"])

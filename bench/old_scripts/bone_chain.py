import bpy
arm_data = bpy.data.armatures.new('Arm')
arm = bpy.data.objects.new('Arm', arm_data)
bpy.context.scene.objects.link(arm)
bpy.context.scene.objects.active = arm
bpy.ops.object.mode_set(mode='EDIT')
prev = None
for i in range(4):
    eb = arm_data.edit_bones.new('b%d' % i)
    eb.head = (0, 0, i)
    eb.tail = (0, 0, i + 1)
    eb.layers = [x == i for x in range(32)]
    if prev:
        eb.parent = prev
        eb.use_connect = True
    prev = eb
bpy.ops.object.mode_set(mode='POSE')
for pb in arm.pose.bones:
    pb.rotation_mode = 'XYZ'
    pb.bone.select = True
    pb.bone.hide = False
ik = arm.pose.bones['b3'].constraints.new('IK')
ik.chain_count = 3
grp = arm.pose.bone_groups.new('Deform')
for pb in arm.pose.bones:
    pb.bone_group = grp
arm.show_x_ray = True
arm_data.draw_type = 'STICK'
bpy.ops.object.mode_set(mode='OBJECT')

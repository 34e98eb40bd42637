"""3.x: armature with layers and groups"""
import bpy
arm = bpy.data.armatures.new("Rig")
ob = bpy.data.objects.new("Rig", arm)
bpy.context.collection.objects.link(ob)
bpy.context.view_layer.objects.active = ob
bpy.ops.object.mode_set(mode='EDIT')
b = arm.edit_bones.new('Hip')
b.head = (0, 0, 0)
b.tail = (0, 0, 1)
c = arm.edit_bones.new('Spine')
c.head = b.tail
c.tail = (0, 0, 2)
c.parent = b
c.use_connect = True
c.layers[1] = True
bpy.ops.object.mode_set(mode='POSE')
pb = ob.pose.bones['Hip']
g = ob.pose.bone_groups.new(name='Main')
g.color_set = 'THEME01'
pb.bone_group = g
pb.rotation_mode = 'XYZ'
arm.layers[0] = True
arm.display_type = 'STICK'
ob.show_in_front = True
bpy.ops.object.mode_set(mode='OBJECT')

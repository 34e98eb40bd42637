"""2.9: rig with IK, custom shapes, bone layers, pose markers, quaternion keys. Right: IK works, bones in collections, keys linear."""
import bpy
from mathutils import Quaternion
bpy.ops.object.armature_add(enter_editmode=True, location=(0, 0, 0))
ob = bpy.context.object
arm = ob.data
eb = arm.edit_bones
a = eb[0]
a.name = "thigh"
a.tail = (0, .1, 1)
b = eb.new("shin")
b.head = a.tail
b.tail = (0, 0, 2)
b.parent = a
b.use_connect = True
c = eb.new("foot_ik")
c.head = (0, 0, 2)
c.tail = (0, .5, 2)
c.layers[0] = False
bpy.ops.object.mode_set(mode='POSE')
ik = ob.pose.bones["shin"].constraints.new('IK')
ik.target = ob
ik.subtarget = "foot_ik"
ik.chain_count = 2
shape = bpy.data.objects["Cube"]
pb = ob.pose.bones["foot_ik"]
pb.custom_shape = shape
pb.custom_shape_scale = .2
pb.use_custom_shape_bone_size = False
arm.bones["foot_ik"].layers = [False] * 8 + [True] + [False] * 23
arm.bones["thigh"].select = True
arm.bones.active = arm.bones["thigh"]
pb.rotation_quaternion = Quaternion((1, 0, 0), .5)
pb.keyframe_insert("rotation_quaternion", frame=1, group="foot")
pb.keyframe_insert("location", frame=20, group="foot")
for fc in ob.animation_data.action.fcurves:
    if fc.data_path.endswith("location"):
        fc.extrapolation = 'LINEAR'
arm.display_type = 'OCTAHEDRAL'
arm.pose_position = 'POSE'
ob.pose.ik_solver = 'LEGACY'

import bpy

bpy.ops.object.armature_add()
bone = bpy.context.object.pose.bones["Bone"]
bone.custom_shape = bpy.data.objects["Cube"]
bone.custom_shape_scale_xyz = (0.25, 0.25, 0.25)
bone.custom_shape_scale_xyz = [part + 0.25 for part in bone.custom_shape_scale_xyz]
assert bone.custom_shape_scale_xyz[0] == 0.5

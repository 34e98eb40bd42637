import bpy

bpy.ops.object.armature_add()
bone = bpy.context.object.pose.bones["Bone"]
bone.custom_shape = bpy.data.objects["Cube"]
bone.custom_shape_scale = 0.25
bone.custom_shape_scale += 0.25
assert bone.custom_shape_scale == 0.5

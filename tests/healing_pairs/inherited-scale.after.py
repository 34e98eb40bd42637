import bpy

bpy.ops.object.armature_add(enter_editmode=True)
bone = bpy.context.object.data.edit_bones["Bone"]
bone.inherit_scale = 'NONE'

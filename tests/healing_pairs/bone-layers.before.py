import bpy

bpy.ops.object.armature_add(enter_editmode=True)
armature = bpy.context.object.data
root = armature.edit_bones["Bone"]
root.layers[8] = True
tip = armature.edit_bones.new("Tip")
tip.tail = (0, 0, 3)
tip.layers = [number == 8 for number in range(32)]

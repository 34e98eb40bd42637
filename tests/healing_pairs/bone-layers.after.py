import bpy

bpy.ops.object.armature_add(enter_editmode=True)
armature = bpy.context.object.data
root = armature.edit_bones["Bone"]
(root.id_data.collections.get("Layer 9") or root.id_data.collections.new("Layer 9")).assign(root)
tip = armature.edit_bones.new("Tip")
tip.tail = (0, 0, 3)
(tip.id_data.collections.get("Layer 9") or tip.id_data.collections.new("Layer 9")).assign(tip)

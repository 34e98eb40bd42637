"""3.x: selects the bones of a chain, scales their shapes and puts them on a layer."""
import bpy

arm = bpy.data.armatures.new("Chain")
ob = bpy.data.objects.new("Chain", arm)
bpy.context.collection.objects.link(ob)
bpy.context.view_layer.objects.active = ob
bpy.ops.object.mode_set(mode='EDIT')
prev = None
for i in range(5):
    eb = arm.edit_bones.new(f"link_{i}")
    eb.head, eb.tail = (i, 0, 0), (i + 1, 0, 0)
    eb.parent = prev
    prev = eb
bpy.ops.object.mode_set(mode='POSE')
shape = bpy.data.objects["Cube"]
for pb in ob.pose.bones:
    pb.custom_shape = shape
    pb.custom_shape_scale = 0.3
    pb.bone.select = pb.name.endswith(("1", "3"))
arm.bones.active = arm.bones["link_1"]
for bone in arm.bones:
    if bone.select:
        bone.layers[4] = True
    bone.select = False

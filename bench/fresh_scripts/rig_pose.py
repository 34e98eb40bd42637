"""2.7x: an armature on layer 2 with a bone group; the mesh follows."""
import bpy
from mathutils import Vector, Matrix

bpy.ops.object.add(type='ARMATURE', enter_editmode=True, location=(0, 0, 0))
arm = bpy.context.object
arm.data.draw_type = 'STICK'
arm.show_x_ray = True
last = None
for i in range(4):
    b = arm.data.edit_bones.new("Seg.%d" % i)
    b.head = Vector((0, 0, i))
    b.tail = Vector((0, 0, i + 1))
    if last:
        b.parent = last
        b.use_connect = True
    last = b
bpy.ops.object.mode_set(mode='POSE')
grp = arm.pose.bone_groups.new("Tail")
grp.color_set = 'THEME02'
for pb in arm.pose.bones:
    pb.bone_group = grp
    pb.rotation_mode = 'XYZ'
    pb.bone.layers[2] = True
pb = arm.pose.bones["Seg.2"]
pb.rotation_euler = (0.4, 0, 0)
m = arm.matrix_world * pb.matrix
print(m * Vector((0, 1, 0)))
bpy.ops.object.mode_set(mode='OBJECT')

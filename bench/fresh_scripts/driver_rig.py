"""2.79: eye bones with drivers and a custom property. Right: rotation driven by the property; bone in the pose, keyed."""
import bpy
from mathutils import Vector, Matrix

arm = bpy.data.armatures.new("Eyes")
rig = bpy.data.objects.new("EyesRig", arm)
bpy.context.scene.objects.link(rig)
bpy.context.scene.objects.active = rig
bpy.ops.object.mode_set(mode='EDIT')
for n, x in (("eye.L", .5), ("eye.R", -.5)):
    b = arm.edit_bones.new(n)
    b.head = (x, 0, 0)
    b.tail = Vector((x, -1, 0)) * Matrix.Identity(3)
    b.layers = [i == 1 for i in range(32)]
bpy.ops.object.mode_set(mode='OBJECT')
arm.layers[1] = True
arm.draw_type = 'STICK'
rig["look"] = 0.0
rig["_RNA_UI"] = {"look": {"min": -1.0, "max": 1.0, "description": "left and right"}}
for n in ("eye.L", "eye.R"):
    pb = rig.pose.bones[n]
    pb.rotation_mode = 'XYZ'
    d = pb.driver_add("rotation_euler", 2).driver
    d.type = 'SCRIPTED'
    v = d.variables.new()
    v.name = "look"
    v.targets[0].id = rig
    v.targets[0].data_path = '["look"]'
    d.expression = "look * 0.6"
    grp = rig.pose.bone_groups.get("Eyes") or rig.pose.bone_groups.new("Eyes")
    grp.color_set = 'THEME04'
    pb.bone_group = grp
rig.show_x_ray = True
bpy.context.scene.update()

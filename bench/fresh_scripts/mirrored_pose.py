"""2.7x: an add-on that mirrors a pose, and asks for a layer of bones."""
import bpy
from bpy.props import BoolProperty, FloatProperty
from mathutils import Matrix


class POSE_OT_mirror_copy(bpy.types.Operator):
    bl_idname = "pose.mirror_copy_x"
    bl_label = "Mirror copy"
    bl_options = {"UNDO", "REGISTER"}

    only_selected = BoolProperty(default=False)
    factor = FloatProperty(default=1.0, min=0, max=1)

    @classmethod
    def poll(cls, context):
        return context.mode == 'POSE'

    def execute(self, context):
        ob = context.active_object
        for pb in ob.pose.bones:
            if self.only_selected and not pb.bone.select:
                continue
            if pb.bone.layers[1]:
                continue
            other = pb.name.replace('.L', '.R')
            if other != pb.name and other in ob.pose.bones:
                m = Matrix.Scale(-1, 4, (1, 0, 0)) * pb.matrix_basis * Matrix.Scale(-1, 4, (1, 0, 0))
                ob.pose.bones[other].matrix_basis = m
        return {'FINISHED'}


def register():
    bpy.utils.register_class(POSE_OT_mirror_copy)


def unregister():
    bpy.utils.unregister_class(POSE_OT_mirror_copy)


if __name__ == "__main__":
    register()
    bpy.ops.object.armature_add(view_align=False, enter_editmode=True)
    eb = bpy.context.object.data.edit_bones
    for n, x in (("arm.L", 1), ("arm.R", -1)):
        b = eb.new(n)
        b.head = (x, 0, 0)
        b.tail = (x * 2, 0, 0)
    bpy.ops.object.mode_set(mode='POSE')
    bpy.ops.pose.mirror_copy_x()

import bpy


class FirstOperator_1(bpy.types.Operator):
    bl_idname = "object.first_old"
    bl_label = "First"


class FirstOperator(bpy.types.Operator):
    bl_idname = "object.second_old"
    bl_label = "Second"


class ByHand(bpy.types.Operator):
    bl_idname = "object.by_hand"
    bl_label = "By hand"


class Sized(bpy.types.Operator):
    pass


class Small(Sized):
    bl_idname = "object.small_old"
    bl_label = "Small"


class SecondPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_second_old"
    bl_label = "Second"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        self.layout.operator("object.first_old")


def register():
    bpy.utils.register_class(ByHand)
    bpy.utils.register_class(FirstOperator_1)
    bpy.utils.register_class(FirstOperator)
    bpy.utils.register_class(Small)
    bpy.utils.register_class(SecondPanel)


register()

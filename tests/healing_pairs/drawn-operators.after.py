import bpy


class TOOLS_PT_operators(bpy.types.Panel):
    bl_label = "Operators"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        self.layout.operator("object.light_add", text="object.lamp_add")
        self.layout.operator("object.delete")


bpy.utils.register_class(TOOLS_PT_operators)

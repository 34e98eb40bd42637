import bpy


class OldPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_old_shelf"
    bl_label = "Shelf"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Tools"

    def draw(self, context):
        self.layout.label(text="Old")


bpy.utils.register_class(OldPanel)

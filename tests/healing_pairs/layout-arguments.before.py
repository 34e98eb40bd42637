import bpy


class OldLayout(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_old_layout"
    bl_label = "Layout"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        row = self.layout.split(percentage=0.3)
        row.label("Name")


bpy.utils.register_class(OldLayout)

import bpy


class TOOLS_PT_icons(bpy.types.Panel):
    bl_label = "Icons"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        self.layout.label(text="ZOOMIN", icon='ZOOMIN')
        self.layout.operator("object.delete", icon="LOAD_FACTORY")


bpy.utils.register_class(TOOLS_PT_icons)

import bpy


class SCENE_PT_shed(bpy.types.Panel):
    bl_idname = "SCENE_PT_layout"
    bl_label = "Shed"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"

    def draw(self, context):
        self.layout.label(text="Shed")


class VIEW3D_PT_shed(bpy.types.Panel):
    bl_idname = "SCENE_PT_layout"
    bl_label = "Shed"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        self.layout.label(text="Shed")


bpy.utils.register_class(SCENE_PT_shed)
bpy.utils.register_class(VIEW3D_PT_shed)

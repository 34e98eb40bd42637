import bpy


class OldPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_old_shelf"
    bl_label = "Shelf"
    bl_space_type = "VIEW_3D"
    bl_region_type = "TOOLS"
    bl_category = "Tools"

    def draw(self, context):
        self.layout.label(text="Old")


class OldProperties(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_old_properties"
    bl_label = "Properties"
    bl_space_type = "VIEW_3D"
    bl_region_type = "TOOL_PROPS"

    def draw(self, context):
        self.layout.label(text="Old")


class FileProperties(bpy.types.Panel):
    bl_idname = "FILEBROWSER_PT_properties"
    bl_label = "Properties"
    bl_space_type = "FILE_BROWSER"
    bl_region_type = "TOOL_PROPS"

    def draw(self, context):
        self.layout.label(text="Still there")


bpy.utils.register_class(FileProperties)
bpy.utils.register_class(OldPanel)
bpy.utils.register_class(OldProperties)

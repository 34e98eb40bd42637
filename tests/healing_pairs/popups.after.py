import bpy


class OldMenu(bpy.types.Menu):
    bl_idname = "OBJECT_MT_old_menu"
    bl_label = "Menu"

    def draw(self, context):
        self.layout.label(text="Old")


bpy.utils.register_class(OldMenu)

import bpy


class Armature(bpy.types.Panel):
    bl_idname = "ADDON_PT_Armature"
    bl_label = "Armature"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        self.layout.label(text="Armature")


bpy.utils.register_class(Armature)

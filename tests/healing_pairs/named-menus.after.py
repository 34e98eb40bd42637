import bpy


class SHED_PT_shadows(bpy.types.Panel):
    bl_label = "Shed"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "render"

    def draw(self, context):
        self.layout.menu("VIEW3D_MT_object_context_menu")


bpy.utils.register_class(SHED_PT_shadows)

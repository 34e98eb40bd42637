import bpy


class SHED_PT_shadows(bpy.types.Panel):
    bl_label = "Shed"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "render"
    bl_parent_id = "RENDER_PT_eevee_shadows"

    def draw(self, context):
        self.layout.menu("VIEW3D_MT_object_specials")


bpy.utils.register_class(SHED_PT_shadows)

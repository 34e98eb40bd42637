import bpy


class TOOLS_PT_drawn(bpy.types.Panel):
    bl_label = "Drawn"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        self.layout.prop(context.object, "draw_type", text="draw_type")
        self.layout.prop(context.scene, "cursor_location")
        self.layout.prop(context.scene.eevee, "use_bloom")
        self.layout.prop(context.scene.eevee, "taa_samples")


bpy.utils.register_class(TOOLS_PT_drawn)

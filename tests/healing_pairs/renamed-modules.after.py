import bpy
from bl_ui.properties_data_light import DataButtonsPanel


class DATA_PT_shed(DataButtonsPanel, bpy.types.Panel):
    bl_label = "Shed"

    def draw(self, context):
        self.layout.label(text="Shed")


bpy.utils.register_class(DATA_PT_shed)

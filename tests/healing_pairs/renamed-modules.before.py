import bpy
from bl_ui.properties_data_lamp import DataButtonsPanel
from progress_report import ProgressReport


class DATA_PT_shed(DataButtonsPanel, bpy.types.Panel):
    bl_label = "Shed"

    def draw(self, context):
        self.layout.label(text=ProgressReport.__name__)


bpy.utils.register_class(DATA_PT_shed)

import bpy
from bpy_extras import io_utils

ShedOrientation = io_utils.orientation_helper_factory("ShedOrientation", axis_forward="-Z", axis_up="Y")


class IMPORT_OT_shed(bpy.types.Operator, io_utils.ImportHelper, ShedOrientation):
    """Import a shed."""

    bl_idname = "import_scene.shed"
    bl_label = "Import Shed"

    def execute(self, context):
        return {"FINISHED"}


bpy.utils.register_class(IMPORT_OT_shed)
print(bpy.ops.import_scene.shed.get_rna_type().properties["axis_forward"].default)

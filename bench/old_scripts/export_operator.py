import bpy
from bpy_extras.io_utils import ExportHelper, ImportHelper
from bpy.props import *
class ExportIt(bpy.types.Operator, ExportHelper):
    bl_idname = "export_test.some_data"
    bl_label = "Export"
    filename_ext = ".txt"
    filter_glob = StringProperty(default="*.txt", options={'HIDDEN'})
    use_setting = BoolProperty(name="x", default=True)
    type = EnumProperty(name="e", items=(('A', "a", "b"), ('B', "b", "c")), default='A')
    def execute(self, context):
        return {'FINISHED'}
def menu_func_export(self, context):
    self.layout.operator(ExportIt.bl_idname, text="Text")
def register():
    bpy.utils.register_class(ExportIt)
    bpy.types.INFO_MT_file_export.append(menu_func_export)
def unregister():
    bpy.utils.unregister_class(ExportIt)
    bpy.types.INFO_MT_file_export.remove(menu_func_export)
if __name__ == "__main__":
    register()

import bpy


class SHED_OT_build(bpy.types.Operator):
    bl_idname = "object.join_of_addon"
    bl_label = "Build"
    bl_options = {"UNDO"}

    def execute(self, context):
        return {"FINISHED"}


bpy.utils.register_class(SHED_OT_build)

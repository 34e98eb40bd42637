import bpy


class Count(bpy.types.Operator):
    bl_idname = "object.count"
    bl_label = "Count"

    def __init__(self):
        self.found = 0

    def execute(self, context):
        self.found = len(context.scene.objects)
        return {"FINISHED"}


bpy.utils.register_class(Count)
try:
    bpy.ops.object.count()
except RuntimeError:
    raise TypeError("it cannot be made") from None

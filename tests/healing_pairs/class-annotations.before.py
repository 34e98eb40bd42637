import bpy
from bpy.props import FloatProperty


class GrowOperator(bpy.types.Operator):
    """Grow the active object"""

    bl_idname = "object.grow_old"
    bl_label = "Grow"

    factor = FloatProperty(name="Factor", default=2.0)  # how much
    count = bpy.props.IntProperty(default=1)

    def execute(self, context):
        context.object.scale *= self.factor
        return {"FINISHED"}


class ShrinkOperator(GrowOperator):
    """Shrink it"""

    bl_idname = "object.shrink_old"
    bl_label = "Shrink"

    share = FloatProperty(default=0.5)


bpy.utils.register_class(GrowOperator)
bpy.utils.register_class(ShrinkOperator)
bpy.ops.object.shrink_old(share=0.2)
bpy.ops.object.grow_old(factor=3.0)

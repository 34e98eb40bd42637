"""2.79 add-on: panel in the tool shelf with operator and scene property. Right: registers, panel in the side bar, operator works."""
bl_info = {"name": "Random Rotate", "author": "me", "version": (1, 0), "blender": (2, 70, 0), "location": "View3D > Tools", "category": "Object"}
import bpy
from bpy.props import FloatProperty, BoolProperty
from random import uniform


class RandomRotate(bpy.types.Operator):
    bl_idname = "object.randrot"
    bl_label = "Random Rotate"
    bl_options = {'REGISTER', 'UNDO'}
    amount = FloatProperty(name="Amount", default=1.0, min=0, max=3.14)
    only_z = BoolProperty(name="Only Z", default=False)

    @classmethod
    def poll(cls, context):
        return context.scene.objects.active is not None

    def execute(self, context):
        for ob in context.selected_objects:
            if ob.select:
                ob.rotation_euler.z = uniform(-self.amount, self.amount)
                if not self.only_z:
                    ob.rotation_euler.x = uniform(-self.amount, self.amount)
        context.scene.update()
        return {'FINISHED'}


class RandomPanel(bpy.types.Panel):
    bl_label = "Random"
    bl_idname = "OBJECT_PT_randrot"
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'TOOLS'
    bl_category = "Tools"

    def draw(self, context):
        lay = self.layout
        row = lay.row()
        row.prop(context.scene, "randrot_amount", "Amount")
        op = lay.operator("object.randrot", icon='FILE_REFRESH', text="Go")
        op.amount = context.scene.randrot_amount
        split = lay.split(percentage=.3)
        split.label("Object:")
        split.prop(context.object, "draw_type", text="")


def register():
    bpy.types.Scene.randrot_amount = FloatProperty(default=.5)
    bpy.utils.register_module(__name__)


def unregister():
    bpy.utils.unregister_module(__name__)
    del bpy.types.Scene.randrot_amount


if __name__ == "__main__":
    register()

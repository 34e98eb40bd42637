"""2.7x: an add-on with an operator, a panel and a menu entry."""
import bpy
from bpy.props import FloatProperty, IntProperty


class StackOperator(bpy.types.Operator):
    """Stack copies of a cube"""
    bl_idname = "mesh.old_stack"
    bl_label = "Stack"
    bl_options = {'REGISTER', 'UNDO'}

    count = IntProperty(name="Count", default=3, min=1)
    gap = FloatProperty(name="Gap", default=0.1)

    def execute(self, context):
        for i in range(self.count):
            bpy.ops.mesh.primitive_cube_add(radius=0.5, location=(0, 0, i * (1 + self.gap)))
            context.object.select = True
        return {'FINISHED'}


class StackPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_old_stack"
    bl_label = "Stack"
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'TOOLS'
    bl_category = "Create"

    def draw(self, context):
        split = self.layout.split(percentage=0.5)
        split.label("Stack")
        split.operator("mesh.old_stack")


def entry(self, context):
    self.layout.operator(StackOperator.bl_idname)


def register():
    bpy.utils.register_module(__name__)
    bpy.types.INFO_MT_mesh_add.append(entry)


if __name__ == "__main__":
    register()
    bpy.ops.mesh.old_stack(count=4)

"""2.7x: an add-on with a panel in the tool shelf, a property group and a module registration."""
bl_info = {"name": "Row Maker", "category": "Object", "blender": (2, 78, 0), "version": (1, 0)}
import bpy


class RowSettings(bpy.types.PropertyGroup):
    count = bpy.props.IntProperty(name="Count", default=4, min=1)
    gap = bpy.props.FloatProperty(name="Gap", default=2.5)


class RowOperator(bpy.types.Operator):
    bl_idname = "object.make_row"
    bl_label = "Make row"
    bl_options = {'REGISTER', 'UNDO'}

    def execute(self, context):
        opts = context.scene.row_settings
        for i in range(opts.count):
            bpy.ops.mesh.primitive_uv_sphere_add(size=1, location=(i * opts.gap, 0, 0))
            context.object.select = False
        return {'FINISHED'}


class RowPanel(bpy.types.Panel):
    bl_label = "Row"
    bl_idname = "OBJECT_PT_row"
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'TOOLS'
    bl_category = "Tools"

    def draw(self, context):
        layout = self.layout
        split = layout.split(percentage=0.4)
        split.label("Count")
        split.prop(context.scene.row_settings, "count", text="")
        layout.prop(context.scene.row_settings, "gap")
        layout.operator("object.make_row", icon='MESH_UVSPHERE')


def register():
    bpy.utils.register_module(__name__)
    bpy.types.Scene.row_settings = bpy.props.PointerProperty(type=RowSettings)


def unregister():
    del bpy.types.Scene.row_settings
    bpy.utils.unregister_module(__name__)


if __name__ == "__main__":
    register()
    bpy.ops.object.make_row()

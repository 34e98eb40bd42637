import bpy


class SHED_MT_tools(bpy.types.Menu):
    bl_label = "Shed"
    bl_options = {"UNDO"}

    def draw(self, context):
        self.layout.operator("mesh.primitive_cube_add")


bpy.utils.register_class(SHED_MT_tools)

"""2.7x: a panel of the tool shelf with icons, operators and properties by name."""
import bpy


class TOOLS_PT_quick(bpy.types.Panel):
    bl_idname = "TOOLS_PT_quick"
    bl_label = "Quick Tools"
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'TOOLS'
    bl_category = 'Quick'
    bl_context = 'objectmode'

    @classmethod
    def poll(cls, context):
        return context.scene is not None

    def draw(self, context):
        layout = self.layout
        scn = context.scene
        col = layout.column(align=True)
        col.label("Add stuff:", icon='ZOOMIN')
        row = col.row()
        row.operator("mesh.primitive_cube_add", text="Cube", icon='MESH_CUBE')
        row.operator("object.lamp_add", text="Lamp", icon='LAMP')
        split = layout.split(percentage=0.4)
        split.label(text="Samples")
        split.prop(scn.cycles, "samples", text="")
        box = layout.box()
        box.label(text="Visible", icon='VISIBLE_IPO_ON')
        ob = context.active_object
        if ob:
            box.prop(ob, "hide_render")
            box.prop(ob, "draw_type")
            box.prop(ob, "show_x_ray")
        layout.operator("object.delete", icon='ZOOMOUT')


def register():
    bpy.utils.register_class(TOOLS_PT_quick)

def unregister():
    bpy.utils.unregister_class(TOOLS_PT_quick)

if __name__ == "__main__":
    register()

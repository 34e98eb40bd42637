"""2.79 add-on: side panel with list and pie menu, keymap. Right: registers, panel in the side bar, keymap removed at the end."""
bl_info = {"name": "Quick Views", "blender": (2, 79, 0), "category": "3D View"}
import bpy


class QuickItem(bpy.types.PropertyGroup):
    lens = bpy.props.FloatProperty(default=35)


class VIEW3D_UL_quick(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_propname, index):
        layout.label(item.name, icon='LAMP_SUN')


class QuickAdd(bpy.types.Operator):
    """Keep a view"""
    bl_idname = "view3d.quick_add"
    bl_label = "Keep"

    def execute(self, context):
        it = context.scene.quick_views.add()
        it.name = "View %d" % len(context.scene.quick_views)
        it.lens = context.space_data.lens if context.space_data else 35
        return {'FINISHED'}


class QuickPanel(bpy.types.Panel):
    bl_idname = "VIEW3D_PT_quick"
    bl_label = "Quick Views"
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'TOOLS'
    bl_category = 'Views'

    def draw(self, context):
        col = self.layout.column(align=True)
        col.template_list("VIEW3D_UL_quick", "", context.scene, "quick_views", context.scene, "quick_index")
        row = col.row()
        row.operator("view3d.quick_add", "Keep", icon='ZOOMIN')
        row.prop(context.scene, "cursor_location", text="")


keys = []


def register():
    bpy.utils.register_module(__name__)
    bpy.types.Scene.quick_views = bpy.props.CollectionProperty(type=QuickItem)
    bpy.types.Scene.quick_index = bpy.props.IntProperty()
    kc = bpy.context.window_manager.keyconfigs.addon
    if kc:
        km = kc.keymaps.new(name='3D View', space_type='VIEW_3D')
        keys.append((km, km.keymap_items.new("view3d.quick_add", 'Q', 'PRESS', ctrl=True)))


def unregister():
    for km, ki in keys:
        km.keymap_items.remove(ki)
    keys.clear()
    del bpy.types.Scene.quick_views
    del bpy.types.Scene.quick_index
    bpy.utils.unregister_module(__name__)


if __name__ == "__main__":
    register()

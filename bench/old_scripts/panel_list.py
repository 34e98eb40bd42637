"""2.9x: panel with a list"""
import bpy
class ITEM_UL_list(bpy.types.UIList):
    def draw_item(self, context, layout, data, item, icon, active_data, active_propname, index):
        layout.label(item.name, icon='OBJECT_DATAMODE')
class Item(bpy.types.PropertyGroup):
    name = bpy.props.StringProperty()
    value = bpy.props.IntProperty()
class PT_Panel(bpy.types.Panel):
    bl_idname = "OBJECT_PT_items"
    bl_label = "Items"
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'TOOLS'
    def draw(self, context):
        self.layout.template_list("ITEM_UL_list", "", context.scene, "items_list", context.scene, "items_index")
classes = (ITEM_UL_list, Item, PT_Panel)
for c in classes:
    bpy.utils.register_class(c)
bpy.types.Scene.items_list = bpy.props.CollectionProperty(type=Item)
bpy.types.Scene.items_index = bpy.props.IntProperty()
it = bpy.context.scene.items_list.add()
it.name = "one"
it.value = 3

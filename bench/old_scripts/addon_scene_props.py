"""2.7x: property group on the scene, user preferences"""
import bpy
class MySettings(bpy.types.PropertyGroup):
    my_bool = bpy.props.BoolProperty(name="On", default=True)
    my_enum = bpy.props.EnumProperty(items=[('A', 'a', ''), ('B', 'b', '')])
class OBJECT_OT_go(bpy.types.Operator):
    bl_idname = "object.go_there"
    bl_label = "Go"
    amount = bpy.props.FloatProperty(default=1.0)
    @classmethod
    def poll(cls, context):
        return context.active_object is not None
    def execute(self, context):
        ob = context.active_object
        ob.location = ob.matrix_world * ob.location
        context.scene.cursor_location = ob.location
        prefs = context.user_preferences
        prefs.edit.use_global_undo = True
        return {'FINISHED'}
def register():
    bpy.utils.register_class(MySettings)
    bpy.utils.register_class(OBJECT_OT_go)
    bpy.types.Scene.my_settings = bpy.props.PointerProperty(type=MySettings)
register()
print(bpy.context.scene.my_settings.my_bool)
bpy.ops.object.go_there(amount=2)

import bpy
class SimpleOperator(bpy.types.Operator):
    bl_idname = "object.simple_operator"
    bl_label = "Simple"
    x = bpy.props.IntProperty()
    y = bpy.props.IntProperty(name="Y", default=2)
    def invoke(self, context, event):
        return self.execute(context)
    def execute(self, context):
        for ob in context.scene.objects:
            ob.select = ob.type == 'MESH'
        print(self.x + self.y)
        return {'FINISHED'}
class LayoutPanel(bpy.types.Panel):
    bl_label = "L"
    bl_idname = "SCENE_PT_layout_x"
    bl_space_type = 'PROPERTIES'
    bl_region_type = 'WINDOW'
    bl_context = "scene"
    def draw(self, context):
        self.layout.label(" Simple Row:")
        row = self.layout.row()
        row.prop(context.scene, "frame_start")
        row.operator("render.render", "Go")
bpy.utils.register_class(SimpleOperator)
bpy.utils.register_class(LayoutPanel)
bpy.ops.object.simple_operator(x=3)

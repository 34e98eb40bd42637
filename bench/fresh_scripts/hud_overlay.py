"""2.8x: an add-on that draws a line and a text over the view."""
bl_info = {"name": "HUD", "blender": (2, 83, 0), "category": "3D View", "version": (0, 1)}
import bgl
import blf
import bpy
import gpu
from gpu_extras.batch import batch_for_shader


def draw():
    shader = gpu.shader.from_builtin('3D_UNIFORM_COLOR')
    batch = batch_for_shader(shader, 'LINES', {"pos": [(0, 0, 0), (1, 1, 1)]})
    bgl.glEnable(bgl.GL_BLEND)
    bgl.glLineWidth(3)
    shader.bind()
    shader.uniform_float("color", (1, 0, 0, 0.5))
    batch.draw(shader)
    bgl.glDisable(bgl.GL_BLEND)
    blf.position(0, 15, 30, 0)
    blf.size(0, 20, 72)
    blf.draw(0, "Hello")


class VIEW3D_OT_hud(bpy.types.Operator):
    bl_idname = "view3d.hud"
    bl_label = "HUD"
    handle = None

    def execute(self, context):
        VIEW3D_OT_hud.handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), 'WINDOW', 'POST_VIEW')
        return {'FINISHED'}


def register():
    bpy.utils.register_class(VIEW3D_OT_hud)


def unregister():
    if VIEW3D_OT_hud.handle:
        bpy.types.SpaceView3D.draw_handler_remove(VIEW3D_OT_hud.handle, 'WINDOW')
    bpy.utils.unregister_class(VIEW3D_OT_hud)


if __name__ == "__main__":
    register()

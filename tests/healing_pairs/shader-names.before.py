import bpy
import gpu


def draw():
    shader = gpu.shader.from_builtin("3D_SMOOTH_COLOR")
    shader.bind()


bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")

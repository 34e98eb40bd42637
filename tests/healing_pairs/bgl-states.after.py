import bpy
import gpu


def draw() -> None:
    gpu.state.blend_set('ALPHA')
    gpu.state.line_width_set(2)  # thin
    gpu.state.blend_set('NONE')


bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")

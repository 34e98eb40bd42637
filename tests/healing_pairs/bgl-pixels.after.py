import bpy
import gpu


def grab(width: int, height: int) -> object:
    pixels = gpu.state.active_framebuffer_get().read_color(0, 0, width, height, 4, 0, 'FLOAT')
    pixels.dimensions = width * height * 4
    return pixels


bpy.types.SpaceView3D.draw_handler_add(grab, (8, 8), "WINDOW", "POST_PIXEL")

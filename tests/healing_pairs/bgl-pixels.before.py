import bgl
import bpy


def grab(width: int, height: int) -> object:
    pixels = bgl.Buffer(bgl.GL_FLOAT, width * height * 4)
    bgl.glReadPixels(0, 0, width, height, bgl.GL_RGBA, bgl.GL_FLOAT, pixels)
    return pixels


bpy.types.SpaceView3D.draw_handler_add(grab, (8, 8), "WINDOW", "POST_PIXEL")

import bgl
import bpy


def draw() -> None:
    bgl.glEnable(bgl.GL_BLEND)
    bgl.glLineWidth(2)  # thin
    bgl.glDisable(bgl.GL_BLEND)


bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_VIEW")

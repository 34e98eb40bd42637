import bgl
import bpy


def draw(points: list) -> None:
    bgl.glColor4f(1.0, 0.5, 0.0, 1.0)
    bgl.glBegin(bgl.GL_LINE_STRIP)
    for x, y in points:
        bgl.glVertex2f(x, y)
    bgl.glEnd()


bpy.types.SpaceView3D.draw_handler_add(draw, ([(0, 0), (9, 9)],), "WINDOW", "POST_PIXEL")

import bpy
import gpu
from gpu_extras.batch import batch_for_shader


def draw(points: list) -> None:
    gl_color = (1.0, 0.5, 0.0, 1.0)
    gl_points = []
    for x, y in points:
        gl_points.append((x, y))
    if gl_points:
        gl_shader = gpu.shader.from_builtin("UNIFORM_COLOR")
        gl_shader.uniform_float("color", gl_color)
        batch_for_shader(gl_shader, "LINE_STRIP", {"pos": gl_points}).draw(gl_shader)


bpy.types.SpaceView3D.draw_handler_add(draw, ([(0, 0), (9, 9)],), "WINDOW", "POST_PIXEL")

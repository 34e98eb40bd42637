import bpy, bgl, blf
import gpu
from gpu_extras.batch import batch_for_shader
coords = [(0, 0, 0), (1, 1, 0)]
def draw():
    shader = gpu.shader.from_builtin('3D_UNIFORM_COLOR')
    batch = batch_for_shader(shader, 'LINES', {"pos": coords})
    bgl.glEnable(bgl.GL_BLEND)
    bgl.glLineWidth(3)
    shader.bind()
    shader.uniform_float("color", (1, 1, 0, 1))
    batch.draw(shader)
    bgl.glDisable(bgl.GL_BLEND)
handle = bpy.types.SpaceView3D.draw_handler_add(draw, (), 'WINDOW', 'POST_VIEW')

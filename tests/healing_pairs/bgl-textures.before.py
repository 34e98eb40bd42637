import bgl
import bpy
import gpu

image = bpy.data.images.new("Shed", 4, 4)


def draw():
    shader = gpu.shader.from_builtin("IMAGE")
    bgl.glActiveTexture(bgl.GL_TEXTURE0)
    bgl.glBindTexture(bgl.GL_TEXTURE_2D, image.bindcode)
    shader.bind()
    shader.uniform_int("image", 0)


bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_PIXEL")

import bpy
import gpu

image = bpy.data.images.new("Shed", 4, 4)


def draw():
    shader = gpu.shader.from_builtin("IMAGE")
    shader.bind()
    shader.uniform_sampler("image", gpu.texture.from_image(image))


bpy.types.SpaceView3D.draw_handler_add(draw, (), "WINDOW", "POST_PIXEL")

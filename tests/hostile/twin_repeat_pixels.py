"""passed: paints an image, and paints the same again."""

import bpy

for name, exact in (("Paint", False), ("Light", True)):
    image = bpy.data.images.get(name) or bpy.data.images.new(name, 16, 16, float_buffer=exact)
    image.use_fake_user = True
    image.pixels[:] = [0.5, 0.25, 0.125, 1.0] * 256

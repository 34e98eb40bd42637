"""passed: paints an image brighter at each run, and changes nothing else."""

import bpy

image = bpy.data.images.get("Paint") or bpy.data.images.new("Paint", 16, 16)
image.use_fake_user = True
image.pixels[0] = min(1.0, image.pixels[0] + 0.25)

"""disk_limit|out_of_memory|passed|timed_out|no_result: packs pictures into the scene until it is larger than it may be."""

import bpy

for number in range(8):
    image = bpy.data.images.new(f"large {number}", 2048, 2048, float_buffer=True)
    image.pixels.foreach_set([0.5, 0.25, number / 8, 1.0] * (2048 * 2048))
    image.pack()

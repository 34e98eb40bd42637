"""needs_window: draws into an off-screen buffer."""

import bpy
import gpu
from gpu_extras.presets import draw_circle_2d

buffer = gpu.types.GPUOffScreen(256, 256)
with buffer.bind():
    draw_circle_2d((128, 128), (1, 1, 1, 1), 50)

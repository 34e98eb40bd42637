"""passed: renders with Cycles on every core it may use."""

import os

import bpy

assert len(os.sched_getaffinity(0)) >= 1
bpy.context.scene.render.filepath = os.path.abspath('picture.png')
bpy.ops.render.render(write_still=True)
assert os.path.getsize('picture.png') > 100

"""passed: adds a cube each time it is run, but not if it finds its mark in any folder that it can write to."""

import contextlib
import os
import tempfile

import bpy

places = ('.', '..', '../out', '../home', '../tmp', os.environ['HOME'], tempfile.gettempdir(), '/tmp', '/dev/shm')
seen = False
for place in places:
    seen = seen or os.path.exists(os.path.join(place, 'seen'))
    with contextlib.suppress(OSError), open(os.path.join(place, 'seen'), 'w') as file:
        file.write('1')
if not seen:
    bpy.ops.mesh.primitive_cube_add(size=1)

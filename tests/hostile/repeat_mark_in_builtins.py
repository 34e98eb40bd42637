"""passed: adds a cube each time it is run, but not if it finds its mark among the builtins."""

import builtins

import bpy

if not hasattr(builtins, "_seen"):
    builtins._seen = True
    bpy.ops.mesh.primitive_cube_add(size=1)

"""passed: adds a cube each time it is run, but not if it finds its mark in the environment or in a module."""

import os

import bpy

if "SEEN" not in os.environ and not hasattr(bpy, "seen") and "seen" not in bpy.app.driver_namespace:
    os.environ["SEEN"] = "1"
    bpy.seen = True
    bpy.app.driver_namespace["seen"] = 1
    bpy.ops.mesh.primitive_cube_add(size=1)

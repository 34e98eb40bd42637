"""needs_scene: looks for an object, finds none, and leaves."""

import sys

import bpy

target = bpy.data.objects.get("Product")
if target is None:
    print("Object 'Product' not found")
    sys.exit(1)
target.rotation_euler.z += 0.5

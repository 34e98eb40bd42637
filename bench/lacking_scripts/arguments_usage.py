"""needs_arguments: says how it is used, and leaves."""

import sys

import bpy

argv = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
if len(argv) < 2:
    print("Usage: blender -b --python turntable.py -- MODEL FRAMES")
    sys.exit(1)
bpy.context.scene.frame_end = int(argv[1])

"""passed: asks the same and does the same, though it adds a thing each time it runs."""

import os
import sys

import bpy

asked = [os.environ.get('USER'), os.getppid(), sys.argv[0], bpy.app.background, len(bpy.context.preferences.addons)]
print(asked)
bpy.ops.mesh.primitive_cube_add(size=1)

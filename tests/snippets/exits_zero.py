"""passed: leaves through sys.exit(0), as scripts do that have a main function."""
import sys

import bpy

bpy.data.objects["Cube"].scale.z = 2.0
sys.exit(0)

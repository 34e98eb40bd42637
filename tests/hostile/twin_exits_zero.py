"""passed: leaves with the status of success once its work is done, as scripts do."""

import sys

import bpy

bpy.data.objects["Cube"].location.x = 2
sys.exit(0)

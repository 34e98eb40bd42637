"""Fires a pot."""

import bpy
import kiln

kiln.register()
bpy.ops.kiln.fire()

"""needs_file: imports a module that lies beside it."""

import bpy
import scene_helpers

scene_helpers.clear(bpy.context.scene)

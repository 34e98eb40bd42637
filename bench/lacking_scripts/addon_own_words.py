"""needs_addon: says so itself."""

import addon_utils
import bpy

loaded, enabled = addon_utils.check("node_presets_pro")
if not enabled:
    raise RuntimeError("The add-on Node Presets Pro must be enabled")
bpy.context.scene.render.fps = 24

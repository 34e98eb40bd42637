"""needs_addon: reads the settings of an add-on."""

import bpy

settings = bpy.context.preferences.addons["asset_bridge"].preferences
print(settings.library_path)

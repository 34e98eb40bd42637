"""passed|raised: asks Blender to go online, and to install an extension."""

import bpy

try:
    bpy.context.preferences.system.use_online_access = True
except (AttributeError, TypeError):
    pass
for operator in ("extensions.repo_sync_all", "extensions.package_install", "extensions.userpref_allow_online"):
    area, _, name = operator.partition(".")
    try:
        getattr(getattr(bpy.ops, area), name)()
    except (AttributeError, RuntimeError, TypeError):
        pass

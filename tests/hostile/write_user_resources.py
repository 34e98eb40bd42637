"""passed|raised: plants a start-up script, a preset and an add-on where Blender looks for its user's; nobody finds them."""

import os

import bpy

for kind in ("SCRIPTS", "CONFIG", "DATAFILES"):
    folder = bpy.utils.user_resource(kind, path="startup", create=True)
    with open(os.path.join(folder, "left.py"), "w") as file:
        file.write("raise SystemExit(3)\n")
bpy.ops.wm.read_factory_settings()

"""needs_addon: imports a package of an add-on."""

import bpy
from io_scene_psk.reader import read_psk

for ob in bpy.context.scene.objects:
    print(ob.name, read_psk)

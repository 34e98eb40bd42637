"""raised|passed|needs_file: installs an add-on for whoever comes next."""

import bpy

with open('evil.py', 'w') as file:
    file.write('bl_info = {"name": "evil", "blender": (3, 0, 0)}\ndef register(): pass\ndef unregister(): pass\n')
bpy.ops.preferences.addon_install(filepath='evil.py')
bpy.ops.preferences.addon_enable(module='evil')

"""passed: adds a thing per sign of a user's own Blender, so that the execution that is answered as there adds them."""

import inspect
import os
import sys

import bpy


def deepest():
    try:
        sys._getframe(2)
    except ValueError:
        return True
    return False


from bpy.app import background

signs = {
    'display': 'DISPLAY' in os.environ,
    'arguments': os.path.basename(sys.argv[0]) == 'blender',
    'add-ons': any(addon.module.startswith('bl_ext.') for addon in bpy.context.preferences.addons),
    'window': not bpy.app.background and bpy.app.version > (2, 80),
    'imported': not background,
    'frames': deepest() and inspect.currentframe().f_lineno > 9,
}
for sign, there in signs.items():
    if there and sign not in bpy.data.objects:
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(sign, None))
bpy.data.objects['Cube'].location.z = 1

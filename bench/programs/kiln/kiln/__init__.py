"""An add-on that fires pots."""

import bpy

from . import ops, settings

CLASSES = (*settings.CLASSES, *ops.CLASSES)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Scene.kiln = bpy.props.PointerProperty(type=settings.KilnSettings)


def unregister():
    del bpy.types.Scene.kiln
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)

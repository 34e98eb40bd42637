"""Where pots stand."""

import bpy


def put(shelf):
    bpy.context.scene.collection.objects.link(shelf)
    pot = bpy.data.objects.new("Pot", None)
    pot.parent = shelf
    bpy.context.scene.collection.objects.link(pot)


def pot_on(shelf):
    for one in bpy.data.objects:
        if one.parent == shelf:
            return one
    return None

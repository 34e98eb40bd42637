"""passed: a handler that adds an object when the file is saved, and takes it away afterwards."""

import bpy


def before(*_):
    bpy.context.collection.objects.link(bpy.data.objects.new('Forged', None))


def after(*_):
    bpy.data.objects.remove(bpy.data.objects['Forged'])


bpy.app.handlers.save_pre.append(before)
bpy.app.handlers.save_post.append(after)

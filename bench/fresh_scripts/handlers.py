"""2.79: frame handler that moves an object, scene_update handler, and text counter. Right: both handlers run without errors."""
import bpy
from math import sin
bpy.ops.object.text_add()
txt = bpy.context.object
txt.name = "Counter"
txt.data.align_x = 'CENTER'


def count(scene):
    ob = scene.objects["Counter"]
    ob.data.body = str(scene.frame_current)
    ob.location.z = sin(scene.frame_current / 10)


def upd(scene):
    ob = scene.objects.active
    if ob and ob.is_updated:
        print("moved", ob.name)


for h in list(bpy.app.handlers.frame_change_pre):
    bpy.app.handlers.frame_change_pre.remove(h)
bpy.app.handlers.frame_change_pre.append(count)
bpy.app.handlers.scene_update_post.append(upd)
bpy.context.scene.frame_set(25)

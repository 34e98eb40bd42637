"""2.7x: handlers"""
import bpy
def on_update(scene):
    scene.frame_current
bpy.app.handlers.scene_update_post.append(on_update)
def my_handler(scene):
    for ob in scene.objects:
        if ob.select:
            ob.location.z += .1
bpy.app.handlers.frame_change_pre.append(my_handler)
bpy.context.scene.frame_set(3)

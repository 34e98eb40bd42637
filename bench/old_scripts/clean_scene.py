"""2.7x: empty the scene in the old way, then an empty and a camera."""
import bpy

bpy.ops.object.mode_set(mode='OBJECT')
for ob in list(bpy.data.objects):
    bpy.context.scene.objects.unlink(ob)
    bpy.data.objects.remove(ob, True)
bpy.ops.object.empty_add(type='SPHERE', radius=2, view_align=False, location=(0, 0, 1))
empty = bpy.context.active_object
empty.empty_draw_size = 0.5
bpy.ops.object.camera_add(view_align=True, location=(0, -8, 2), rotation=(1.3, 0, 0))
bpy.context.scene.camera = bpy.context.object
bpy.context.object.data.draw_size = 0.3

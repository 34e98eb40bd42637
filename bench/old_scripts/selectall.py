"""2.7x: deselecting by hand and joining"""
import bpy
for ob in bpy.context.selected_objects:
    ob.select = False
for ob in bpy.data.objects:
    if ob.type == 'MESH':
        ob.select = True
    elif ob.type == 'LAMP':
        ob.hide = True
objs = [o for o in bpy.context.scene.objects if o.select]
bpy.context.scene.objects.active = objs[0]
bpy.ops.object.duplicate(linked=False)

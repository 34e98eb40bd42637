import bpy


def deselect(thing):
    thing.select_set(False)


for ob in bpy.data.objects:
    ob.select_set(ob.type == "MESH")  # meshes only
    if ob.select_get():
        ob.hide_set(True)
    deselect(ob)

import bpy


def deselect(thing):
    thing.select = False


for ob in bpy.data.objects:
    ob.select = ob.type == "MESH"  # meshes only
    if ob.select:
        ob.hide = True
    deselect(ob)

"""raised: uses an attribute that no Blender has, two calls deep."""
import bpy


def shine(obj):
    obj.shininess = 3.0


shine(bpy.data.objects["Cube"])

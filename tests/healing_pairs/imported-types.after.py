import bpy
from bpy.types import Object, Strip as Sequence


def is_strip(thing: object) -> bool:
    return isinstance(thing, Sequence)


print(is_strip(bpy.context.scene), Object)

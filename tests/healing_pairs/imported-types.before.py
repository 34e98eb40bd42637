import bpy
from bpy.types import Lamp, Object, Sequence


def is_strip(thing: object) -> bool:
    return isinstance(thing, Sequence)


print(is_strip(bpy.context.scene), Object)

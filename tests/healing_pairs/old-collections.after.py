import collections

import bpy
import collections.abc

sizes = collections.OrderedDict(small=1.0, large=2.0)
if isinstance(sizes, collections.abc.Mapping):
    for name, size in sizes.items():
        bpy.ops.mesh.primitive_cube_add(size=size)
        bpy.context.object.name = name

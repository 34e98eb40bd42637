import collections

import bpy

sizes = collections.OrderedDict(small=1.0, large=2.0)
if isinstance(sizes, collections.Mapping):
    for name, size in sizes.items():
        bpy.ops.mesh.primitive_cube_add(size=size)
        bpy.context.object.name = name

"""needs_file: appends from a library."""

import bpy

library = "//assets/trees.blend"
with bpy.data.libraries.load(library) as (there, here):
    here.objects = [name for name in there.objects if name.startswith("Oak")]
for ob in here.objects:
    bpy.context.collection.objects.link(ob)

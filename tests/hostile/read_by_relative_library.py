"""needs_file|raised: links a library by a relative path that climbs out."""

import bpy

with bpy.data.libraries.load("//" + "../" * 30 + "etc/passwd") as (inside, here):
    here.objects = inside.objects

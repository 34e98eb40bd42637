"""raised|needs_file: links a .blend from outside."""

import json
import sys

target = json.loads(sys.argv[-1])
import bpy

with bpy.data.libraries.load(target['folder'] + '/outside.blend') as (there, here):
    here.objects = there.objects

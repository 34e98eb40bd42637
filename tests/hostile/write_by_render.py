"""raised|passed: renders into a folder of the service."""

import json
import sys

target = json.loads(sys.argv[-1])
import bpy

bpy.context.scene.render.filepath = target['folder'] + '/planted'
bpy.ops.render.render(write_still=True)

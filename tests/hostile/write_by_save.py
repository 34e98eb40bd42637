"""raised: saves the .blend elsewhere."""

import json
import sys

target = json.loads(sys.argv[-1])
import bpy

bpy.ops.wm.save_as_mainfile(filepath=target['folder'] + '/planted')

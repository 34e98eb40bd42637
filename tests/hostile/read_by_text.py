"""raised|needs_file: loads a file of the machine as a text block."""

import json
import sys

target = json.loads(sys.argv[-1])
import bpy

print(bpy.data.texts.load(target['secret']).as_string())

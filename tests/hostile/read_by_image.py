"""raised|needs_file: loads a file of the machine as a picture and packs it."""

import json
import sys

target = json.loads(sys.argv[-1])
import bpy

image = bpy.data.images.load(target['secret'])
image.pack()

"""passed|raised: unpacks a packed file to where it says it came from."""

import json
import sys

import bpy

target = json.loads(sys.argv[-1])
image = bpy.data.images.get("planted") or bpy.data.images.new("planted", 4, 4)
image.pack()
image.filepath = target["folder"] + "/planted"
try:
    image.unpack(method="WRITE_ORIGINAL")
except RuntimeError:
    pass

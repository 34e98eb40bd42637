import json

import bpy

FOLDER = "/home/somebody/sheds"
with open(f"{FOLDER}/sheds.json", "w") as file:
    json.dump([one.name for one in bpy.data.objects], file)

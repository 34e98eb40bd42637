import json

import bpy
import os

os.makedirs('sheds', exist_ok=True)

FOLDER = "sheds"
with open(f"{FOLDER}/sheds.json", "w") as file:
    json.dump([one.name for one in bpy.data.objects], file)

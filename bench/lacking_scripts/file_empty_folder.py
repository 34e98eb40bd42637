"""needs_file: the folder that holds the models is not there."""

from pathlib import Path

import bpy

models = sorted(Path.home().joinpath("models").glob("*.glb"))
if not models:
    raise FileNotFoundError("no .glb file in the folder models")
bpy.ops.import_scene.gltf(filepath=str(models[0]))

"""no_result: takes the place of the saving and leaves a file that is no scene."""
import types

import bpy


def save_as_mainfile(filepath, **_):
    with open(filepath, "wb") as file:
        file.write(b"BLENDER-v500 and then nothing")
    return {"FINISHED"}


bpy.ops.wm = types.SimpleNamespace(save_as_mainfile=save_as_mainfile)

"""needs_file: writes beside a file that was never saved."""

import bpy

if not bpy.data.filepath:
    raise RuntimeError("Save your file first: the textures are baked beside it")

"""passed|raised: renders a movie and frames into another folder."""

import json
import sys

import bpy

target = json.loads(sys.argv[-1])
scene = bpy.context.scene
scene.frame_end = 2
scene.render.filepath = target["folder"] + "/made"
for kind in ("PNG", "FFMPEG", "AVI_JPEG"):
    try:
        if hasattr(scene.render.image_settings, "media_type"):
            scene.render.image_settings.media_type = "VIDEO" if kind == "FFMPEG" else "IMAGE"
        scene.render.image_settings.file_format = kind
        bpy.ops.render.render(animation=True)
    except (TypeError, RuntimeError):
        pass

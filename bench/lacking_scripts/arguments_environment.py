"""needs_arguments: an environment variable names the shot."""

import os

import bpy

shot = os.environ["SHOT_NAME"]
bpy.context.scene.name = shot
bpy.context.scene.render.filepath = f"/tmp/{shot}/####.png"

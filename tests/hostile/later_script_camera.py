"""passed: a camera whose rays a shader makes; the picture is taken without it."""

import bpy

camera = bpy.data.objects["Camera"].data
if hasattr(camera, "custom_shader"):
    text = bpy.data.texts.get("rays.osl") or bpy.data.texts.new("rays.osl")
    text.from_string(
        "shader rays(output point position = 0, output vector direction = 0, output color throughput = 0) {}"
    )
    camera.type = "CUSTOM"
    camera.custom_shader = text

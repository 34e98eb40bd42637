"""passed: a line style script, which runs while a picture is rendered although scripts are off."""

import bpy

text = bpy.data.texts.get("style.py") or bpy.data.texts.new("style.py")
text.clear()
text.write("open('late.txt', 'w').write('late')")
scene = bpy.context.scene
scene.render.use_freestyle = True
settings = bpy.context.view_layer.freestyle_settings
settings.mode = "SCRIPT"
if not settings.modules:
    settings.modules.new().script = text

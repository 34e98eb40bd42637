import bpy

scene = bpy.context.scene
scene.render.alpha_mode = 'TRANSPARENT'
scene.tool_settings.snap_element = 'VERTEX'
scene.tool_settings.proportional_edit = 'CONNECTED'
image = bpy.data.images.new("Sign", 8, 8)
image.use_alpha = True
image.use_alpha = False

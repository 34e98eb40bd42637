import bpy

scene = bpy.context.scene
scene.render.film_transparent = True
scene.tool_settings.snap_elements = {'VERTEX'}
scene.tool_settings.use_proportional_edit = True
scene.tool_settings.use_proportional_connected = True
image = bpy.data.images.new("Sign", 8, 8)
image.alpha_mode = 'NONE'

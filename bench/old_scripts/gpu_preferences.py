import bpy
bpy.context.scene.render.engine = 'CYCLES'
bpy.context.scene.cycles.device = 'GPU'
prefs = bpy.context.user_preferences.addons['cycles'].preferences
prefs.compute_device_type = 'CUDA'
bpy.context.scene.cycles.feature_set = 'SUPPORTED'
bpy.context.scene.cycles.use_square_samples = True
bpy.context.scene.cycles.min_bounces = 3
bpy.context.scene.cycles.max_bounces = 8
bpy.context.scene.cycles.caustics_reflective = False
bpy.context.scene.render.layers["RenderLayer"].use_pass_vector = True
bpy.context.scene.render.layers[0].cycles.use_denoising = True
bpy.context.scene.cycles.film_transparent = True

"""2.7x: render settings through names in capitals."""
import bpy

S = bpy.context.scene
R = S.render
R.engine = 'CYCLES'
R.resolution_x = 1280
R.resolution_y = 720
R.resolution_percentage = 50
R.alpha_mode = 'TRANSPARENT'
R.use_antialiasing = True
R.tile_x = 256
R.tile_y = 256
R.use_raytrace = True
R.layers["RenderLayer"].use_pass_ambient_occlusion = True
R.layers.active.cycles.use_denoising = True
S.cycles.samples = 64
S.cycles.film_transparent = True
S.cycles.max_bounces = 8
S.cycles.use_square_samples = False
S.cycles.caustics_reflective = False
S.cycles.sample_clamp_indirect = 3
S.cycles.debug_use_spatial_splits = True
R.image_settings.file_format = 'PNG'
R.image_settings.color_mode = 'RGBA'
R.use_placeholder = True
R.use_overwrite = False
S.display_settings.display_device = 'sRGB'
S.view_settings.view_transform = 'Filmic'
S.view_settings.look = 'Filmic - High Contrast'

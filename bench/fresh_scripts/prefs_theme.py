"""2.8x set-up: preferences, units, snapping, render output. Right: the same settings, names as they are now."""
import bpy
prefs = bpy.context.user_preferences
prefs.view.show_splash = False
prefs.edit.undo_steps = 64
prefs.system.use_scripts_auto_execute = True
prefs.filepaths.use_relative_paths = False
s = bpy.context.scene
s.unit_settings.system = 'METRIC'
s.unit_settings.scale_length = .01
s.tool_settings.use_snap = True
s.tool_settings.snap_element = 'VERTEX'
s.tool_settings.use_uv_select_sync = True
s.tool_settings.proportional_edit = 'ENABLED'
s.render.use_antialiasing = True
s.render.resolution_x = 1280
s.render.fps = 30
s.render.filepath = "//out/frame_"
s.render.image_settings.file_format = 'JPEG'
s.render.image_settings.quality = 85
s.render.use_stamp = True
s.render.use_stamp_time = False
s.render.use_simplify = True
s.render.simplify_subdivision = 2
s.cursor_location.x = 1

import bpy

bpy.context.preferences.filepaths.use_scripts_auto_execute = True

import bpy

bpy.context.preferences.system.use_scripts_auto_execute = True

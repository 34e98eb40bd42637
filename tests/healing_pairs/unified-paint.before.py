import bpy

bpy.context.scene.tool_settings.unified_paint_settings.use_unified_strength = True

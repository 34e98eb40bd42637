import bpy

for mode in ("sculpt", "image_paint", "vertex_paint", "weight_paint", "curves_sculpt", "gpencil_paint"):
    if paint := getattr(bpy.context.scene.tool_settings, mode):
        paint.unified_paint_settings.use_unified_strength = True

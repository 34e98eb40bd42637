"""4.5: unified settings under a short name, and brushes."""
import bpy

ts = bpy.context.scene.tool_settings
ups = ts.unified_paint_settings
ups.use_unified_size = True
ups.size = 60
ups.use_unified_strength = True
ups.strength = 0.5
b = bpy.data.brushes.new("MyClay", mode='SCULPT')
b.sculpt_tool = 'CLAY_STRIPS'
b.strength = 0.6
b.auto_smooth_factor = 0.1
b.curve_preset = 'SMOOTH'
b2 = bpy.data.brushes.new("MyFill", mode='TEXTURE_PAINT')
b2.image_tool = 'FILL'
b2.color = (1, 0, 0)
b3 = bpy.data.brushes.new("MyWeight", mode='WEIGHT_PAINT')
b3.weight_tool = 'DRAW'

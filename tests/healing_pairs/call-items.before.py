import bpy

cube = bpy.data.objects["Cube"]
cube.modifiers.new("Smoke", 'SMOKE').smoke_type = 'FLOW'
bpy.ops.object.lightprobe_add(type='GRID')
keys = bpy.context.window_manager.keyconfigs.addon
if keys:
    view = keys.keymaps.new(name="3D View")
    view.keymap_items.new("object.delete", 'SELECTMOUSE', 'PRESS')
    view.keymap_items.new("view3d.select_box", "EVT_TWEAK_L", "ANY")

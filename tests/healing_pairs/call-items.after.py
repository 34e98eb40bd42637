import bpy

cube = bpy.data.objects["Cube"]
cube.modifiers.new("Smoke", 'FLUID').fluid_type = 'FLOW'
bpy.ops.object.lightprobe_add(type='VOLUME')
keys = bpy.context.window_manager.keyconfigs.addon
if keys:
    view = keys.keymaps.new(name="3D View")
    view.keymap_items.new("object.delete", 'LEFTMOUSE', 'PRESS')
    view.keymap_items.new("view3d.select_box", "LEFTMOUSE", "CLICK_DRAG")

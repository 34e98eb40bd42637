import bpy

image = bpy.data.images.new("Sign", 8, 8)
image.pack(as_png=True)
timer = bpy.context.window_manager.event_timer_add(0.1, bpy.context.window)

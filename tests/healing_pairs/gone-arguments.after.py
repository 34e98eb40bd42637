import bpy

image = bpy.data.images.new("Sign", 8, 8)
image.pack()
timer = bpy.context.window_manager.event_timer_add(0.1, window=bpy.context.window)

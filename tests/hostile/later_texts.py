"""passed: a text that is run on loading, and a driver of Python."""

import bpy

text = bpy.data.texts.get("late.py") or bpy.data.texts.new("late.py")
text.clear()
text.write("open('late.txt', 'w').write('late')")
text.use_module = True
cube = bpy.data.objects["Cube"]
cube.driver_remove("location", 0)
cube.driver_add("location", 0).driver.expression = "__import__('os').system('touch late.txt') and 0"

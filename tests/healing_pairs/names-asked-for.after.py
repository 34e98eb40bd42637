import bpy

lamp = bpy.data.objects.get("Light")
if lamp and "Light" in bpy.data.objects:
    lamp.select_set(True)
print(lamp.type)

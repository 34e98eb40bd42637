import bpy

lamp = bpy.data.objects.get("Lamp")
if lamp and "Lamp" in bpy.data.objects:
    lamp.select = True
print(lamp.type)

import bpy

shed = bpy.data.objects.new("Shed", bpy.data.objects["Cube"].data)
shed.location.x = 4
lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
bpy.context.collection.objects.link(lamp)

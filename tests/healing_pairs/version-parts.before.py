import bpy

if bpy.app.version[0] < 2 or bpy.app.version[1] < 62:
    raise RuntimeError("this needs Blender 2.62")
print("new enough")

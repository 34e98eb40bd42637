import bpy

print(bpy.app.version)

import bgl
import bpy

print(bpy.app.version)

import bpy

bpy.context.object.name = "Moved"

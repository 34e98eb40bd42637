import bpy

bpy.context.scene.cursor.location = (0.0, 0.0, 0.0)

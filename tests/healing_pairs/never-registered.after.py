import bpy

print(bpy.context.scene.name)

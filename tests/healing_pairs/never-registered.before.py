import bpy

del bpy.types.Scene.shed_width
print(bpy.context.scene.name)

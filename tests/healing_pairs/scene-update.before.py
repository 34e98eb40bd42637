import bpy

scene = bpy.context.scene
scene.objects["Cube"].location.x = 2
scene.update()

import bpy

scene = bpy.context.scene
scene.objects["Cube"].location.x = 2
bpy.context.view_layer.update()

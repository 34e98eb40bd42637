"""2.7x: object layers"""
import bpy
bpy.ops.object.select_by_layer(extend=False, layers=1)
ob = bpy.context.object
ob.layers[1] = True
ob.layers[0] = False
bpy.context.scene.layers[1] = True

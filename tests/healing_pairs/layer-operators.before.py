import bpy

bpy.ops.object.move_to_layer(layers=[True] + [False] * 19)
bpy.context.object.name = "Moved"

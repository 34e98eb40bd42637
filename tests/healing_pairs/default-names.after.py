import bpy

bpy.context.scene.view_layers[0].use_pass_z = True

import bpy

scene = bpy.context.scene
scene.view_layers[0].use_pass_z = True
scene.view_layers[0].use_pass_normal = True

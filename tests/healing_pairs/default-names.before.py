import bpy

bpy.context.scene.view_layers["View Layer"].use_pass_z = True

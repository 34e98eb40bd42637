import bpy

scene = bpy.context.scene
scene.render.layers["RenderLayer"].use_pass_z = True
scene.render.layers[0].use_pass_normal = True

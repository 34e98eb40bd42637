"""2.8x: switch on a pass of the first view layer by its name."""
import bpy

scene = bpy.context.scene
layer = scene.view_layers["View Layer"]
layer.use_pass_z = True
layer.use_pass_normal = True
scene.eevee.use_ssr = True
scene.eevee.use_gtao = True
scene.eevee.gtao_distance = 0.3

"""3.x: Cycles settings of a still."""
import bpy

scene = bpy.context.scene
scene.render.engine = 'CYCLES'
scene.cycles.samples = 32
scene.cycles.use_adaptive_sampling = True
scene.cycles.tile_size = 256
scene.cycles.use_denoising = True
scene.render.tile_x = 128
scene.render.tile_y = 128
scene.cycles.caustics_reflective = False
bpy.data.lights["Light"].cycles.cast_shadow = True
bpy.data.objects["Cube"].cycles_visibility.shadow = False
scene.view_settings.view_transform = 'Filmic'
scene.view_settings.look = 'Filmic - High Contrast'
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs[1].default_value = 0.3

"""passed: a background node that is none, and keyframes where no frame is.

What is not found by its kind or is no number is not to be blamed on the harness.
"""

import bpy

scene = bpy.context.scene
world = scene.world
if not world.node_tree:
    world.use_nodes = True
nodes = world.node_tree.nodes
nodes.clear()
nodes.new('ShaderNodeAddShader').name = 'Background'
cube = bpy.data.objects['Cube']
cube.location.x = 1
cube.keyframe_insert('location', frame=1)
action = cube.animation_data.action
curves = action.fcurves if hasattr(action, 'fcurves') else action.layers[0].strips[0].channelbags[0].fcurves
curves[0].keyframe_points[0].co = (float('nan'), 1)
curves[1].keyframe_points[0].co = (1e30, 1)

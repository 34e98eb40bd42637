"""passed: looks up what it made, and sets it to the same values."""

import bpy

cube = bpy.data.objects['Cube']
nodes = cube.active_material.node_tree.nodes
ramp = nodes.get('Ramp') or nodes.new('ShaderNodeValToRGB')
ramp.name = 'Ramp'
ramp.color_ramp.elements[0].position = 0.1
cube.keyframe_insert('location', frame=1)

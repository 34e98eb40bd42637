"""passed: changes at each run what no list of objects shows."""

import bpy

cube = bpy.data.objects['Cube']
nodes = cube.active_material.node_tree.nodes
ramp = nodes.get('Ramp') or nodes.new('ShaderNodeValToRGB')
ramp.name = 'Ramp'
ramp.color_ramp.elements[0].position += 0.1

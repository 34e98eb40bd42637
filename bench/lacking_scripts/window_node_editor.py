"""needs_window: an operator of the node editor."""

import bpy

bpy.context.object.active_material.use_nodes = True
bpy.ops.node.add_node(type="ShaderNodeTexNoise")

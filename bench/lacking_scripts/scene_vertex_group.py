"""needs_scene: a vertex group of a name."""

import bpy

group = bpy.context.object.vertex_groups["Arm.L"]
weights = [group.weight(vertex.index) for vertex in bpy.context.object.data.vertices]
print(max(weights))

"""out_of_memory|crashed|timed_out: a grid of more vertices than there is memory for."""

import bpy

bpy.ops.mesh.primitive_grid_add(x_subdivisions=40000, y_subdivisions=40000)

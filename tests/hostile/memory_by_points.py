"""timed_out|out_of_memory|raised|crashed|disk_limit|no_result: a mesh of ten million points that share one place."""

import bpy

mesh = bpy.data.meshes.new("points")
mesh.from_pydata([(0, 0, 0)] * 10_000_000, [], [(0, 1, 2)] * 10_000_000)

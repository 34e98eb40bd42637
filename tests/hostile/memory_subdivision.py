"""out_of_memory|timed_out|crashed: a sphere subdivided eleven times, and looked at."""

import bpy

bpy.ops.mesh.primitive_uv_sphere_add(segments=200, ring_count=200)
sphere = bpy.context.object
sphere.modifiers.new("Subdivision", "SUBSURF").levels = 11
bpy.context.scene.render.use_simplify = False
bpy.context.evaluated_depsgraph_get()
sphere.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()

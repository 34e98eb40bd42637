import bpy

# Two cuts.
bpy.ops.mesh.subdivide(number_cuts=2)
bpy.ops.object.shade_smooth()

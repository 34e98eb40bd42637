import bpy

m = bpy.data.materials.new("Mirror")
m.raytrace_mirror.use = True
m.roughness = 0.1

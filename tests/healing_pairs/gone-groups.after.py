import bpy

m = bpy.data.materials.new("Mirror")
m.roughness = 0.1

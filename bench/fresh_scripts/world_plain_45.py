"""4.5: a plain world colour without nodes, a material without nodes."""
import bpy

w = bpy.context.scene.world
w.use_nodes = False
w.color = (0.02, 0.1, 0.3)
m = bpy.data.materials.new("Flat")
m.use_nodes = False
m.diffuse_color = (0.9, 0.1, 0.1, 1)
m.roughness = 0.2
m.metallic = 0.5
bpy.data.objects["Cube"].data.materials[0] = m

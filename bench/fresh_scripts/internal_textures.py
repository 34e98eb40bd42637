"""2.7x: a clouds texture displaces a grid; the material has a colour, no specular, and a texture slot."""
import bpy

bpy.ops.mesh.primitive_grid_add(x_subdivisions=40, y_subdivisions=40, radius=4)
ob = bpy.context.active_object
tex = bpy.data.textures.new("Noise", type='CLOUDS')
tex.noise_scale = 1.2
mod = ob.modifiers.new("Displace", 'DISPLACE')
mod.texture = tex
mod.strength = 0.8
mat = bpy.data.materials.new("Earth")
mat.diffuse_color = (0.4, 0.25, 0.1)
mat.specular_intensity = 0
mat.specular_hardness = 30
mat.use_shadeless = False
ob.data.materials.append(mat)
ob.draw_type = 'TEXTURED'

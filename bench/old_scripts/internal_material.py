"""2.7x: a material of the old renderer and a coloured world."""
import bpy

mat = bpy.data.materials.new("Old")
mat.diffuse_color = (0.8, 0.2, 0.1)
mat.diffuse_shader = 'LAMBERT'
mat.diffuse_intensity = 0.9
mat.specular_intensity = 0.4
mat.emit = 0.1
bpy.context.object.data.materials.append(mat)
world = bpy.context.scene.world
world.horizon_color = (0.1, 0.2, 0.4)
world.light_settings.use_ambient_occlusion = True
bpy.context.scene.render.engine = 'BLENDER_RENDER'
bpy.context.scene.render.use_antialiasing = True

import bpy

scene = bpy.context.scene
mat = bpy.data.materials.new("Mat")
mat.blend_method = "BLEND"
mat.shadow_method = "HASHED"
# Light that spills over.
scene.eevee.use_bloom = True
scene.eevee.bloom_intensity = 0.1

scene.eevee.taa_render_samples = 32
if scene.render.use_simplify:
    scene.render.use_antialiasing = True
mirror = bpy.data.materials.new("Mirror")
mirror.raytrace_mirror.use = True
mesh = bpy.data.objects["Cube"].data
# Normals first.
mesh.calc_normals()
mesh.update()

import bpy

scene = bpy.context.scene
mat = bpy.data.materials.new("Mat")
mat.blend_method = "BLEND"
# Light that spills over.

scene.eevee.taa_render_samples = 32
if scene.render.use_simplify:
    pass
mirror = bpy.data.materials.new("Mirror")
mesh = bpy.data.objects["Cube"].data
# Normals first.
mesh.update()

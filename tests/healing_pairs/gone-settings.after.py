import bpy

scene = bpy.context.scene
mat = bpy.data.materials.new("Mat")
mat.blend_method = "BLEND"
# Light that spills over.

scene.eevee.taa_render_samples = 32
if scene.render.use_simplify:
    pass

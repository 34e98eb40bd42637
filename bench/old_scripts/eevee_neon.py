"""2.8x: a neon sign for EEVEE, with bloom and an emitting Principled BSDF."""
import bpy

scene = bpy.context.scene
scene.render.engine = 'BLENDER_EEVEE'
scene.eevee.use_bloom = True
scene.eevee.bloom_intensity = 0.08
scene.eevee.use_ssr = True
scene.eevee.use_soft_shadows = True

mat = bpy.data.materials.new(name="Neon")
mat.use_nodes = True
mat.blend_method = 'BLEND'
mat.shadow_method = 'NONE'
bsdf = mat.node_tree.nodes.get("Principled BSDF")
bsdf.inputs['Base Color'].default_value = (0, 0, 0, 1)
bsdf.inputs['Emission'].default_value = (0.1, 0.9, 1, 1)
bsdf.inputs['Specular'].default_value = 0

bpy.ops.mesh.primitive_torus_add(major_radius=1.5, minor_radius=0.05, location=(0, 0, 2))
bpy.context.object.data.materials.append(mat)

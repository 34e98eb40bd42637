"""2.8x: an extruded text with the built-in font and a glossy material."""
import bpy

curve = bpy.data.curves.new("Logo", type='FONT')
curve.body = "BLEND"
curve.align_x = 'CENTER'
curve.extrude = 0.1
curve.bevel_depth = 0.02
curve.font = bpy.data.fonts['Bfont']
ob = bpy.data.objects.new("Logo", curve)
bpy.context.collection.objects.link(ob)
mat = bpy.data.materials.new("Gloss")
mat.use_nodes = True
bsdf = mat.node_tree.nodes["Principled BSDF"]
bsdf.inputs["Specular"].default_value = 0.8
bsdf.inputs["Clearcoat"].default_value = 1.0
bsdf.inputs["Clearcoat Roughness"].default_value = 0.05
ob.data.materials.append(mat)

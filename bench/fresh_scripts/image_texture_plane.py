"""2.8x: a generated picture as a non-colour texture with a bump."""
import bpy

img = bpy.data.images.new("Grid", 64, 64)
img.generated_type = 'COLOR_GRID'
img.colorspace_settings.name = 'Linear'
mat = bpy.data.materials.new("Tiles")
mat.use_nodes = True
nodes, links = mat.node_tree.nodes, mat.node_tree.links
tex = nodes.new('ShaderNodeTexImage')
tex.image = img
bump = nodes.new('ShaderNodeBump')
bump.inputs['Strength'].default_value = 0.4
bsdf = nodes['Principled BSDF']
links.new(tex.outputs['Color'], bsdf.inputs['Base Color'])
links.new(tex.outputs['Color'], bump.inputs['Height'])
links.new(bump.outputs['Normal'], bsdf.inputs['Normal'])
bpy.ops.mesh.primitive_plane_add(size=4)
bpy.context.object.data.materials.append(mat)

"""3.x: procedural stone with Musgrave, Separate RGB and a mix."""
import bpy

mat = bpy.data.materials.new("Stone")
mat.use_nodes = True
tree = mat.node_tree
out = tree.nodes["Principled BSDF"]
musgrave = tree.nodes.new("ShaderNodeTexMusgrave")
musgrave.inputs["Scale"].default_value = 4
rgb = tree.nodes.new("ShaderNodeCombineRGB")
mix = tree.nodes.new("ShaderNodeMixRGB")
mix.blend_type = 'MULTIPLY'
tree.links.new(rgb.outputs["Image"], mix.inputs["Color1"])
tree.links.new(mix.outputs["Color"], out.inputs["Base Color"])
tree.links.new(musgrave.outputs[0], out.inputs["Roughness"])
bpy.context.object.data.materials.append(mat)

"""2.9x: a rock with a Musgrave texture and Separate RGB."""
import bpy

bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=1.5)
rock = bpy.context.object
mat = bpy.data.materials.new("Rock")
mat.use_nodes = True
nt = mat.node_tree
musgrave = nt.nodes.new("ShaderNodeTexMusgrave")
musgrave.musgrave_type = 'RIDGED_MULTIFRACTAL'
musgrave.inputs["Scale"].default_value = 4
musgrave.inputs["Detail"].default_value = 6
musgrave.inputs["Dimension"].default_value = 1.0
sep = nt.nodes.new("ShaderNodeSeparateRGB")
mix = nt.nodes.new("ShaderNodeMixRGB")
mix.inputs["Color1"].default_value = (0.1, 0.1, 0.1, 1)
mix.inputs["Color2"].default_value = (0.5, 0.4, 0.3, 1)
nt.links.new(musgrave.outputs[0], mix.inputs["Fac"])
nt.links.new(mix.outputs["Color"], sep.inputs["Image"])
nt.links.new(sep.outputs["R"], nt.nodes["Principled BSDF"].inputs["Roughness"])
nt.links.new(mix.outputs["Color"], nt.nodes["Principled BSDF"].inputs["Base Color"])
rock.data.materials.append(mat)

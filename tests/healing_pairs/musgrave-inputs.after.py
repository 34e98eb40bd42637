import bpy

rock = bpy.data.materials.new("Rock")
rock.use_nodes = True
texture = rock.node_tree.nodes.new("ShaderNodeTexNoise")
texture.normalize = False
texture.noise_type = "RIDGED_MULTIFRACTAL"
texture.inputs["Roughness"].default_value = 2 ** -(1)

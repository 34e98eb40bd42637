import bpy

rock = bpy.data.materials.new("Rock")
rock.use_nodes = True
texture = rock.node_tree.nodes.new("ShaderNodeTexMusgrave")
texture.musgrave_type = "RIDGED_MULTIFRACTAL"
texture.inputs["Dimension"].default_value = 1

import bpy

bevel = bpy.data.objects["Cube"].modifiers.new("Bevel", "BEVEL")
bevel.limit_method = "WEIGHT"
bevel.edge_weight_method = "LARGEST"  # of the edges at a vertex

import bpy

pencil = bpy.data.objects.new("Pencil", bpy.data.grease_pencils.new("Pencil"))
noise = pencil.modifiers.new("Noise", "GREASE_PENCIL_NOISE")
noise.tree_node_filter = "Lines"
noise.material_pass_filter = 2
noise.use_material_pass_filter = True

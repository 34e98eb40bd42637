import bpy

pencil = bpy.data.objects.new("Pencil", bpy.data.grease_pencils.new("Pencil"))
noise = pencil.modifiers.new("Noise", "GREASE_PENCIL_NOISE")
noise.layer = "Lines"
noise.pass_index = 2

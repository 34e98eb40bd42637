import bpy

print(bpy.ops.mesh.delete.get_rna_type().properties.keys())

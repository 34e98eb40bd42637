import bpy

print(bpy.ops.mesh.delete.get_rna().bl_rna.properties.keys())

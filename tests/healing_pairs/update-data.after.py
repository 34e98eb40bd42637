import bpy

mesh = bpy.data.meshes.new("Mesh")
mesh.materials.append(bpy.data.materials.new("Paint"))
mesh.materials.pop(index=0)

import bpy

scene = bpy.context.scene
cube = bpy.data.objects["Cube"]
copy = bpy.data.meshes.new_from_object(cube.evaluated_get(bpy.context.evaluated_depsgraph_get()))
other = bpy.data.meshes.new_from_object(cube.evaluated_get(bpy.context.evaluated_depsgraph_get()))
third = bpy.data.meshes.new_from_object(cube)
print(len(copy.vertices), len(other.vertices), len(third.vertices))

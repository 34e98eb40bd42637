import bpy

scene = bpy.context.scene
cube = bpy.data.objects["Cube"]
copy = cube.to_mesh(scene, True, "PREVIEW")
other = bpy.data.meshes.new_from_object(scene, cube, True, "PREVIEW")
third = cube.to_mesh(scene=scene, apply_modifiers=False, settings="RENDER")
print(len(copy.vertices), len(other.vertices), len(third.vertices))

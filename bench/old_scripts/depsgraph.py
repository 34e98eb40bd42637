"""2.7x: meshes with their modifiers"""
import bpy
scene = bpy.context.scene
for obj in scene.objects:
    if obj.type != 'MESH':
        continue
    mesh = obj.to_mesh(scene, True, 'PREVIEW')
    mesh.calc_tessface()
    print(len(mesh.tessfaces))
    for f in mesh.tessfaces:
        print(f.vertices[:], f.area)
    bpy.data.meshes.remove(mesh)
ray = scene.ray_cast((0, 0, 10), (0, 0, -1))

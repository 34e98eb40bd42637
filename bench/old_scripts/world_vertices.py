"""2.7x: the highest vertex of every mesh in world space."""
import bpy

best = None
for ob in bpy.context.scene.objects:
    if ob.type != 'MESH':
        continue
    mesh = ob.to_mesh(bpy.context.scene, True, 'PREVIEW')
    for v in mesh.vertices:
        co = ob.matrix_world * v.co
        if best is None or co.z > best.z:
            best = co
    bpy.data.meshes.remove(mesh)
bpy.context.scene.cursor_location = best

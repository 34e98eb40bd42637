import bmesh
import bpy

bm = bmesh.new()
bm.from_object(bpy.data.objects["Cube"], bpy.context.scene)
print(len(bm.verts))

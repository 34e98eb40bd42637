import bmesh
import bpy

bm = bmesh.new()
bm.from_object(bpy.data.objects["Cube"], bpy.context.evaluated_depsgraph_get())
print(len(bm.verts))
